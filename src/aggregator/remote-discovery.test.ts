import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { apiServiceEntry, type RemoteApiService } from './api-service-index.ts';
import type { AskApiService } from './ask.ts';
import { readRemoteVersion } from './remote-discovery.ts';

const TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const document = {
  items: [{ metadata: { name: 'example.com' }, versions: [{ version: 'v1', resources: [{ resource: 'jobs' }] }] }],
};

function apiService(status: JsonObject): RemoteApiService {
  const service = { namespace: 'default', name: 'server' };
  const spec = { group: 'example.com', version: 'v1', service };
  return apiServiceEntry({ metadata: { name: 'v1.example.com' }, spec, status } as ApiObject) as RemoteApiService;
}

test('discovery of an APIService is complete once it has been probed, whether it was available or not', async () => {
  const asked: string[] = [];
  const ask: AskApiService = async (_apiService, { path }) => {
    asked.push(path);
    return { status: 200, url: '', contentType: TYPE, etag: undefined, body: JSON.stringify(document) };
  };
  const turns = { begin: () => ({ over: () => undefined }) };
  await assert.rejects(readRemoteVersion(apiService({}), { ask, turns }), { message: 'service unavailable' });
  assert.deepEqual(asked, []);
  for (const status of ['False', 'True']) {
    const probed = apiService({ conditions: [{ type: 'Available', status }] });
    const { isStale, resources } = await readRemoteVersion(probed, { ask, turns });
    assert.equal(isStale, false);
    assert.deepEqual(resources, [{ resource: 'jobs', responseKind: { group: '', version: '', kind: '' } }]);
  }
});
