import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/until.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { migrateServerCommand } from './migrate-server.ts';

async function run(server: TestServer, ...argv: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-server-'));
  try {
    const path = join(folder, 'kubeconfig');
    writeFileSync(path, server.kubeconfigText);
    let [out, err] = ['', ''];
    const streams = { out: (text: string) => (out += text), err: (text: string) => (err += text) };
    const status = await migrateServerCommand(['--server', '--kubeconfig', path, ...argv], streams);
    return { status, err, lines: out.trimEnd().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function definition(storage: string) {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return {
    metadata: { name: 'crontabs.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'crontabs', kind: 'CronTab' } },
      versions: ['v1beta1', 'v1'].map((name) => ({ name, served: true, storage: name === storage, schema })),
    },
  };
}

test('keelson migrate --server reports that nothing uses an old API version', async () => {
  await using server = await startTestServer({ listen: true });
  const { status, lines, err } = await run(server, '--check');
  assert.deepEqual({ status, lines, err }, { status: 0, lines: ['nothing uses an old API version'], err: '' });
});

test('keelson migrate --server finds clients, field managers and stored versions that are old', async () => {
  await using server = await startTestServer({ listen: true, runtimeConfig: { 'policy/v1beta1': 'true' } });
  const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets?fieldManager=deployer';
  for (const name of ['a', 'b']) {
    const made = await server.request('POST', budgets, { metadata: { name }, spec: { minAvailable: 1 } });
    assert.equal(made.status, 201);
  }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.request('POST', definitions, definition('v1beta1'));
  await until('the definition is served', async () => {
    return (await server.request('GET', '/apis/example.com/v1/crontabs')).status === 200;
  });
  await server.patch(`${definitions}/crontabs.example.com`, { spec: definition('v1').spec });
  const expected = [
    'clients: request policy/v1beta1 poddisruptionbudgets (unavailable in v1.25+)',
    'stored: crontabs.example.com: objects may be stored in v1beta1, not v1: write every object once, then take v1beta1 out of status.storedVersions',
    'fields: poddisruptionbudgets.policy: written by deployer in policy/v1beta1 (unavailable in v1.25+): default/a and 1 more',
  ];
  assert.deepEqual(await run(server), { status: 0, err: '', lines: expected });
  assert.equal((await run(server, '--check')).status, 1);
  const { lines } = await run(server, '--json');
  assert.deepEqual(JSON.parse(lines.join('')), { found: expected, unknown: [] });
});

test('keelson migrate --server reports an invalid context', async () => {
  await using server = await startTestServer({ listen: true });
  const { status, err } = await run(server, '--context', 'nobody');
  assert.deepEqual([status, /context "nobody" was not found/.test(err)], [1, true]);
});

test('keelson migrate --server reports what it cannot read without using an old API version itself', async () => {
  await using server = await startTestServer({ listen: true, emulatedVersion: ['1.24'] });
  const [first, second] = [await run(server), await run(server)];
  assert.match(first.err, /not looked at: flowschemas\.flowcontrol\.apiserver\.k8s\.io: every version that is served/);
  assert.equal(first.status, 1);
  assert.deepEqual(second, first);
});
