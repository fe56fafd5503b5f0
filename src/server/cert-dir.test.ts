import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withCertDir } from './cert-dir.ts';
import { defaultServerOptions } from './options.ts';

test('the pair in the folder of certificates serves, unless another is named or a half is missing', (t) => {
  const certDir = mkdtempSync(join(tmpdir(), 'keelson-certs-'));
  t.after(() => rmSync(certDir, { recursive: true }));
  const options = { ...defaultServerOptions, certDir };
  writeFileSync(join(certDir, 'apiserver.crt'), '');
  assert.equal(withCertDir(options), options);
  writeFileSync(join(certDir, 'apiserver.key'), '');
  const { tlsCertFile, tlsPrivateKeyFile } = withCertDir(options);
  assert.deepEqual([tlsCertFile, tlsPrivateKeyFile], [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')]);
  assert.equal(withCertDir({ ...options, tlsCertFile: 'own.crt' }).tlsCertFile, 'own.crt');
});
