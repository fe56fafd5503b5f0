import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../test/until.ts';
import type { JsonObject } from '../api/object.ts';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { type Server, silentLog, startServer } from './server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'keelson-roles-'));
after(() => rmSync(dataDir, { recursive: true }));

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const BINDING = `${RBAC}/clusterrolebindings/system`;
const administrator: TokenAuthenticator = {
  permanent: true,
  authenticateToken: () => ({ name: 'admin', groups: ['system:masters'], uid: '', extra: {} }),
};

const start = () => startServer({ dataDir, securePort: 0 }, { log: silentLog, tokens: [administrator] });

async function ask(server: Server, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: 'Bearer x', 'content-type': type };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await server.fetch(new Request(`https://localhost${path}`, init));
  assert.ok(response.status < 300, `${method} ${path}: ${response.status}`);
  return (await response.json()) as JsonObject;
}

test('default roles and bindings that lack rules are reconciled at the next start, as in kube-apiserver', async () => {
  const [node, basic] = [`${RBAC}/clusterroles/system:node`, `${RBAC}/clusterroles/system:basic-user`];
  const [discovery, viewer] = [`${BINDING}:discovery`, `${BINDING}:public-info-viewer`];
  const subjects = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'insiders' }];
  const masters = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:masters' }];
  let rules: unknown;
  {
    await using server = await start();
    rules = (await ask(server, 'GET', node))['rules'];
    await ask(server, 'PATCH', node, { rules: [] });
    // An administrator who closes discovery, before the viewer's binding was split off.
    await ask(server, 'PATCH', discovery, {
      ...{ subjects, metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } },
    });
    await ask(server, 'DELETE', viewer);
    await ask(server, 'PATCH', basic, {
      ...{ rules: [], metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } } },
    });
    await ask(server, 'PATCH', `${RBAC}/clusterrolebindings/cluster-admin`, { subjects });
  }
  await using server = await start();
  const reconciled = await until('the role of nodes has its rules', async () => {
    const role = await ask(server, 'GET', node);
    return (role['rules'] as unknown[] | undefined)?.length ? role : undefined;
  });
  // Of a rule that is missing, every permission becomes a rule.
  assert.ok((reconciled['rules'] as unknown[]).length > (rules as unknown[]).length);
  await until('the subjects of cluster-admin are complete', async () => {
    const binding = await ask(server, 'GET', `${RBAC}/clusterrolebindings/cluster-admin`);
    return JSON.stringify(binding['subjects']) === JSON.stringify([...subjects, ...masters]);
  });
  assert.equal((await ask(server, 'GET', basic))['rules'], null);
  assert.deepEqual((await ask(server, 'GET', discovery))['subjects'], subjects);
  assert.deepEqual((await ask(server, 'GET', viewer))['subjects'], subjects);
});
