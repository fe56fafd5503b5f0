// `keelson verify` of objects: those that the encryption configuration opens are whole, all others are told.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

test('objects of an embedded store are verified by the keys that are at hand', async () => {
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
