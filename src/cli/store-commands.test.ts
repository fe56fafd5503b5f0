// The commands that look after stores: which objects verify opens by the encryption configuration, and results as JSON.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../testing.ts';
import { main } from './main.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';

async function run(...argv: string[]) {
  const said = { status: 0, out: '', err: '' };
  said.status = await main(argv, {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    onStopSignal: () => {},
    onFault: () => {},
    exit: () => {},
  });
  return said;
}

test('keelson verify checks the objects of an embedded store with the keys that it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-verify-'));
  try {
    const config = (name: string) => {
      const secret = Buffer.from(name.padEnd(32, '.')).toString('base64');
      const providers = [{ aesgcm: { keys: [{ name, secret }] } }, { identity: {} }];
      const resources = [{ resources: ['secrets'], providers }];
      const path = join(folder, `${name}.yaml`);
      const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
      writeFileSync(path, JSON.stringify({ ...kind, resources }));
      return path;
    };
    const dataDir = join(folder, 'data');
    const [known, other] = [config('known'), config('other')];
    {
      await using server = await startTestServer({
        controllers: '',
        store: 'embedded',
        dataDir,
        encryptionProviderConfig: known,
      });
      assert.equal((await server.request('POST', SECRETS, { metadata: { name: 'one' } })).status, 201);
    }
    const verify = (path: string) => run('verify', `--data-dir=${dataDir}`, `--encryption-provider-config=${path}`);
    const whole = await verify(known);
    assert.match(whole.out, /^The store is whole: revision \d+, \d+ objects\n$/);
    assert.deepEqual([whole.status, whole.err], [0, '']);
    const lost = await verify(other);
    assert.equal(lost.status, 1);
    assert.match(lost.err, /^\/registry\/secrets\/default\/one can not be read: /);
    assert.match(lost.out, /^The store is damaged: 1 of \d+ objects cannot be read\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('keelson verify, backup, restore and copy print their results as JSON', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-json-'));
  try {
    const [dataDir, file] = [join(folder, 'data'), join(folder, 'backup')];
    {
      await using server = await startTestServer({ controllers: '', store: 'embedded', dataDir });
      assert.equal((await server.request('POST', SECRETS, { metadata: { name: 'one' } })).status, 201);
    }
    const told = async (...argv: string[]) => {
      const { status, out } = await run(...argv, '--json');
      assert.equal(status, 0);
      return JSON.parse(out);
    };
    const whole = await told('verify', `--data-dir=${dataDir}`);
    assert.partialDeepStrictEqual(whole, { whole: true, problems: [] });
    const saved = await told('backup', file, `--data-dir=${dataDir}`);
    assert.deepEqual(saved, { file, revision: whole.revision, rows: whole.rows });
    const place = join(folder, 'restored');
    const restored = await told('restore', file, `--data-dir=${place}`, '--bump-revision=0');
    assert.deepEqual([restored.dataDir, restored.revision], [place, saved.revision]);
    const to = join(folder, 'copy');
    const copied = await told('copy', '--from', place, '--to', to);
    assert.ok(copied.objects > 0);
    assert.deepEqual(copied, { from: place, to, objects: copied.objects });
    writeFileSync(file, readFileSync(file).fill(7, 4096, 8192));
    const damaged = await run('verify', file, '--json');
    assert.equal(damaged.status, 1);
    assert.partialDeepStrictEqual(JSON.parse(damaged.out), { whole: false });
    assert.ok(JSON.parse(damaged.out).problems.length > 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('keelson backup with keys restores the CA and the signing key, and needs its passphrase', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-keys-'));
  try {
    const at = (name: string) => join(folder, name);
    {
      await using server = await startTestServer({ controllers: '', store: 'embedded', dataDir: at('data') });
      assert.equal((await server.request('POST', SECRETS, { metadata: { name: 'one' } })).status, 201);
      await server.patch(`${SECRETS}/one`, { stringData: { a: 'b' } });
    }
    mkdirSync(at('data/pki'), { recursive: true });
    writeFileSync(at('data/pki/ca.key'), 'the key of the authority');
    writeFileSync(at('right'), 'a long passphrase\n');
    writeFileSync(at('wrong'), 'another passphrase\n');
    const keys = (name: string) => ['--with-keys', `--passphrase-file=${at(name)}`];
    const saved = await run('backup', at('backup'), `--data-dir=${at('data')}`, ...keys('right'));
    assert.match(saved.out, /all whole\n.*backup\.keys contains its keys, encrypted/);
    assert.ok(!readFileSync(at('backup.keys')).includes('authority'));
    const refused = await run('restore', at('backup'), `--data-dir=${at('other')}`, ...keys('wrong'));
    assert.match(refused.err, /backup\.keys does not open with this passphrase/);
    assert.ok(!existsSync(at('other')));
    const restored = await run('restore', at('backup'), `--data-dir=${at('new')}`, ...keys('right'));
    assert.deepEqual([restored.status, restored.err], [0, '']);
    assert.match(restored.out, /[1-9]\d* rows? of the backup (?:was a former state|were former states) of objects\n$/);
    assert.equal(readFileSync(at('new/pki/ca.key'), 'utf8'), 'the key of the authority');
    const without = await run('restore', at('backup'), `--data-dir=${at('bare')}`);
    assert.match(without.out, /It has no keys: the next start makes new ones/);
    rmSync(at('backup.keys'));
    const again = await run('backup', at('backup'), `--data-dir=${at('data')}`, ...keys('right'));
    assert.match(again.err, /backup already exists: choose another name, or remove it\n$/);
    assert.ok(!existsSync(at('backup.keys')), 'a backup that fails leaves no keys');
    const half = await run('backup', at('b'), `--data-dir=${at('data')}`, '--with-keys');
    assert.match(half.err, /--with-keys and --passphrase-file go together/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
