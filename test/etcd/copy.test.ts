// `keelson copy` there and back: what was in the embedded store is in etcd, and what was in etcd is in the embedded one.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { startTestServer, type TestServerOptions } from '../../src/testing.ts';
import { findEtcd, NO_ETCD, startEtcd } from './etcd-process.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

interface AnyObject {
  metadata: { name: string; uid: string; creationTimestamp: string; resourceVersion: string };
  data?: Record<string, string>;
}

const program = findEtcd();

describe('keelson copy with etcd', { skip: program === undefined ? NO_ETCD : false, timeout: 120_000 }, () => {
  const copy = (...args: string[]) => run('copy', ...args);

  /** Runs the command; its status and what it said. */
  async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
    const said = { out: '', err: '' };
    const status = await main(args, {
      out: (text) => (said.out += text),
      err: (text) => (said.err += text),
      onStopSignal: () => {},
      exit: () => {},
      onFault: () => {},
    });
    return { status, ...said };
  }

  async function read(options: TestServerOptions, name: string): Promise<AnyObject> {
    await using server = await startTestServer({ controllers: '', ...options });
    return (await server.request('GET', `${CONFIG_MAPS}/${name}`)).body as AnyObject;
  }

  it('keelson copy with etcd keeps objects unchanged, and continues above their resourceVersions', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-copy-'));
    const etcd = await startEtcd({ program: program ?? '' });
    try {
      const [first, back] = [join(folder, 'first'), join(folder, 'back')];
      const embedded = { store: 'embedded', dataDir: first } as const;
      let made: AnyObject;
      {
        await using server = await startTestServer({ controllers: '', ...embedded });
        for (let index = 0; index < 50; index++) await server.request('POST', CONFIG_MAPS, named(`many-${index}`));
        made = (await server.request('POST', CONFIG_MAPS, named('kept'))).body as AnyObject;
      }
      const there = await copy('--from', first, '--to', etcd.url);
      assert.deepEqual([there.status, there.out.startsWith('copied ')], [0, true], there.err);
      const inEtcd = await read({ etcdServers: [etcd.url] }, 'kept');
      assertSame(inEtcd, made);
      assert.match((await copy('--from', first, '--to', etcd.url)).err, /the target already has objects/);
      assert.equal((await copy('--from', etcd.url, '--to', back)).status, 0);
      assertSame(await read({ store: 'embedded', dataDir: back }, 'kept'), inEtcd);
    } finally {
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const named = (name: string) => ({ metadata: { name }, data: { name } });

  function assertSame(copied: AnyObject, original: AnyObject): void {
    assert.ok(Number(copied.metadata.resourceVersion) > Number(original.metadata.resourceVersion));
    assert.equal(copied.metadata.uid, original.metadata.uid);
    assert.equal(copied.metadata.creationTimestamp, original.metadata.creationTimestamp);
    assert.deepEqual(copied.data, original.data);
  }

  it('keelson copy with etcd backs up etcd while servers use it, into a file of the format of embedded stores', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-backup-'));
    const etcd = await startEtcd({ program: program ?? '' });
    try {
      const [file, dataDir] = [join(folder, 'backup'), join(folder, 'restored')];
      let made: AnyObject;
      {
        await using server = await startTestServer({ controllers: '', etcdServers: [etcd.url] });
        made = (await server.request('POST', CONFIG_MAPS, named('kept'))).body as AnyObject;
        const done = await run('backup', file, `--etcd-servers=${etcd.url}`);
        assert.deepEqual([done.status, done.err], [0, '']);
        assert.match(done.out, /contains the \d+ objects in etcd at revision \d+, all of them intact\n$/);
        await server.request('DELETE', `${CONFIG_MAPS}/kept`);
      }
      assert.equal((await run('verify', file)).status, 0);
      assert.match((await run('backup', file, `--etcd-servers=${etcd.url}`)).err, /already exists/);
      assert.equal((await run('restore', file, `--data-dir=${dataDir}`)).status, 0);
      assertSame(await read({ store: 'embedded', dataDir }, 'kept'), made);
      assert.match((await run('backup', `--etcd-servers=${etcd.url}`)).err, /needs a file/);
    } finally {
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keelson copy with etcd uses the encryption configuration, and copies nothing that cannot be decrypted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-copy-'));
    const etcd = await startEtcd({ program: program ?? '' });
    try {
      const dataDir = join(folder, 'first');
      const config = (name: string) => {
        const path = join(folder, `${name}.yaml`);
        const secret = Buffer.from(name.padEnd(32, '.')).toString('base64');
        const keys = `{aesgcm: {keys: [{name: ${name}, secret: ${secret}}]}}`;
        const rule = `- resources: [configmaps]\n  providers: [${keys}]\n`;
        writeFileSync(
          path,
          `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n${rule}`,
        );
        return path;
      };
      const encryptionProviderConfig = config('one');
      {
        await using server = await startTestServer({
          controllers: '',
          store: 'embedded',
          dataDir,
          encryptionProviderConfig,
        });
        assert.equal((await server.request('POST', CONFIG_MAPS, named('secret'))).status, 201);
      }
      const ends = ['--from', dataDir, '--to', etcd.url];
      assert.match((await copy(...ends)).err, /\/registry\/configmaps\/\S+ is encrypted: name the configuration/);
      const other = await copy(...ends, `--encryption-provider-config=${config('two')}`);
      assert.match(other.err, /can not be read: no matching key was found for the provided AES transformer/);
      const done = await copy(...ends, `--encryption-provider-config=${encryptionProviderConfig}`);
      assert.equal(done.status, 0, done.err);
      const verify = (path: string) =>
        run('verify', `--etcd-servers=${etcd.url}`, `--encryption-provider-config=${path}`);
      assert.match((await verify(encryptionProviderConfig)).out, /^The store is whole: revision \d+, \d+ objects\n$/);
      const lost = await verify(config('two'));
      assert.match(lost.err, /^\/registry\/configmaps\/\S+ can not be read: /);
      assert.deepEqual([lost.status, / of \d+ objects cannot be read\n$/.test(lost.out)], [1, true]);
      const there = await read({ etcdServers: [etcd.url], encryptionProviderConfig }, 'secret');
      assert.deepEqual(there.data, { name: 'secret' });
      const unknown = await read({ etcdServers: [etcd.url] }, 'secret');
      assert.match((unknown as unknown as { message: string }).message, /^Internal error occurred: /);
    } finally {
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keelson copy with etcd reports missing and invalid arguments', async () => {
    assert.match((await copy('--from', '/nowhere')).err, /needs --from and --to/);
    assert.match((await copy('--from', 'a', '--to', 'b', '--nonsense')).err, /unknown flag/);
  });
});
