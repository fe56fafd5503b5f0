import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultServerOptions } from '../options.ts';
import { logRotation } from './audit.ts';

test('old audit logs are limited to a year and to a hundred by default from 1.36 on, and unlimited before', () => {
  const inRelease = (kubernetesVersion: string) => logRotation({ ...defaultServerOptions, kubernetesVersion });
  assert.deepEqual(inRelease('1.35'), { maxMegabytes: 100, maxBackups: 0, maxAgeDays: 0 });
  assert.deepEqual(inRelease('1.36'), { maxMegabytes: 100, maxBackups: 100, maxAgeDays: 366 });
  const chosen = { auditLogMaxAge: 0, auditLogMaxBackup: 2, auditLogMaxSize: 1 };
  assert.deepEqual(logRotation({ ...defaultServerOptions, ...chosen, kubernetesVersion: '1.36' }), {
    maxMegabytes: 1,
    maxBackups: 2,
    maxAgeDays: 0,
  });
});
