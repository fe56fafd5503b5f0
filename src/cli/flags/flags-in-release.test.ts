// Flags that only some releases of Kubernetes have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServeFlags } from '../flags.ts';

test('a flag that the release does not have is unknown', () => {
  const error = (argv: string[]) => {
    const parsed = parseServeFlags(argv);
    return 'error' in parsed ? parsed.error : undefined;
  };
  assert.equal(
    error(['--emulated-version=1.29', '--kubernetes-version=1.30']),
    'unknown flag: --emulated-version (Kubernetes 1.30 has none; 1.31 introduced it)',
  );
  assert.equal(error(['--emulated-version=1.30', '--kubernetes-version=1.31']), undefined);
  assert.equal(
    error(['--cloud-provider=external']),
    'unknown flag: --cloud-provider (removed in Kubernetes 1.33: run a cloud controller manager of its own)',
  );
  const setting = { name: 'authorization-config', text: 'a.yaml', source: 'KEELSON_AUTHORIZATION_CONFIG' };
  assert.deepEqual(parseServeFlags(['--kubernetes-version=1.28'], { environment: [setting], file: [], warnings: [] }), {
    error:
      'KEELSON_AUTHORIZATION_CONFIG: unknown flag: --authorization-config (Kubernetes 1.28 has none; 1.29 introduced it)',
  });
});

test('a flag that later releases have removed is accepted without effect by those before', () => {
  const parsed = parseServeFlags(['--cloud-provider=external', '--logtostderr', '--kubernetes-version=1.25']);
  assert.deepEqual('warnings' in parsed ? parsed.warnings : parsed, [
    'Flag --cloud-provider has no effect: cloud providers are controllers of their own',
    'Flag --logtostderr has no effect: the log goes to standard error',
  ]);
});
