import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../../testing.ts';

const JOBS = '/apis/batch/v1/namespaces/default/jobs';

test('a status of a Job without labels is written each time, because those of its pods are only read', async () => {
  await using server = await startTestServer();
  const template = { spec: { containers: [{ name: 'a', image: 'b' }], restartPolicy: 'Never' } };
  const metadata = { name: 'a' };
  const status = { active: 1, startTime: '2026-01-02T03:04:05Z', ready: 0, uncountedTerminatedPods: {} };
  await server.request('POST', JOBS, { metadata, spec: { template } });
  const put = async () => {
    const { body } = await server.request('PUT', `${JOBS}/a/status`, { metadata, status });
    return (body as { metadata: { resourceVersion: string; labels: object } }).metadata;
  };
  await server.patch(`${JOBS}/a/status`, { status });
  const { body } = await server.request('GET', `${JOBS}/a`);
  const versions = [(body as { metadata: { resourceVersion: string } }).metadata.resourceVersion];
  for (let index = 0; index < 2; index++) {
    const { resourceVersion, labels } = await put();
    assert.ok('job-name' in labels);
    versions.push(resourceVersion);
  }
  assert.equal(new Set(versions).size, 3);
});
