import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withCertDir } from './cert-dir.ts';
import { defaultServerOptions } from './options.ts';

test('--cert-dir provides the serving certificate unless another is named or one of its files is missing', (t) => {
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
