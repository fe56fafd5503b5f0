// Actions of the console in a browser, over a cluster with simulated nodes: what they change, and that buttons follow the
// rights of the user.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillStore } from './living-sample.ts';

const STORE = '/api/v1/namespaces/store';
const DEPLOYMENT = '/apis/apps/v1/namespaces/store/deployments/shop';
const SHOP = '/r/apps/v1/deployments/store/shop';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/store';

interface Stored {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas?: number;
    readonly unschedulable?: boolean;
    readonly template?: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly { readonly image: string }[] };
    };
  };
}

describe('actions of the console', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  before(async () => {
    server = await startTestServer({ listen: true, nodes: 2 });
    await fillStore(server);
    consoles = await Consoles.start();
  });
  after(async () => {
    await consoles?.close();
    await server?.close();
  });

  async function at(t: TestContext, path: string, kubeconfig = server.kubeconfigText): Promise<Page> {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${path}`);
    return page;
  }

  const read = async (path: string): Promise<Stored> => (await server.request('GET', path)).body as Stored;
  const button = (page: Page, name: string) => page.getByRole('button', { name });

  test('actions of the console scale and restart a Deployment as kubectl does', async (t) => {
    const page = await at(t, SHOP);
    await button(page, 'Scale…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Replicas').fill('4');
    await dialog.getByRole('button', { name: 'Scale' }).click();
    await page.getByText('4 of 4 ready, 4 up to date').waitFor();
    await button(page, 'Restart…').click();
    await dialog.getByRole('button', { name: 'Restart' }).click();
    await page.getByRole('table', { name: 'Revisions' }).getByRole('row').nth(2).waitFor();
    const { spec } = await read(DEPLOYMENT);
    const time = spec.template?.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'];
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(spec.replicas, 4);
  });

  test('actions of the console roll a Deployment back to the template of an earlier revision, after showing the changes', async (t) => {
    await server.patch(
      DEPLOYMENT,
      {
        spec: { template: { spec: { containers: [{ name: 'shop', image: 'registry.example/shop:2.0' }] } } },
      },
      'application/strategic-merge-patch+json',
    );
    await server.cluster.settled();
    const page = await at(t, SHOP);
    const revisions = page.getByRole('table', { name: 'Revisions' });
    await revisions.getByText('registry.example/shop:2.0').waitFor();
    await revisions.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Roll back…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('.cm-deletedChunk').getByText('shop:2.0').waitFor();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await revisions.getByRole('row', { name: /shop:1\.4.*current$/ }).waitFor();
    const { spec } = await read(DEPLOYMENT);
    assert.equal(spec.template?.spec.containers[0]?.image, 'registry.example/shop:1.4');
  });

  test('actions of the console roll a DaemonSet back to a ControllerRevision', async (t) => {
    const path = '/apis/apps/v1/namespaces/store/daemonsets/agent';
    const image = async () => (await read(path)).spec.template?.spec.containers[0]?.image;
    const containers = [{ name: 'agent', image: 'registry.example/agent:2.0' }];
    const change = { spec: { template: { spec: { containers } } } };
    await server.patch(path, change, 'application/strategic-merge-patch+json');
    await server.cluster.settled();
    const page = await at(t, '/r/apps/v1/daemonsets/store/agent');
    const revisions = page.getByRole('table', { name: 'Revisions' });
    await revisions.getByRole('row', { name: /^2 .*current$/ }).waitFor();
    await revisions.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Roll back…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await image(), 'registry.example/agent:1.4');
  });

  test('actions of the console run a CronJob now, as kubectl create job does', async (t) => {
    const page = await at(t, '/r/batch/v1/cronjobs/store/report');
    await button(page, 'Run now…').click();
    await page.getByRole('dialog').getByLabel('Name of the Job').fill('report-by-hand');
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: 'report-by-hand' }).waitFor();
    await page.getByText('Controlled by CronJob').waitFor();
    const job = await read('/apis/batch/v1/namespaces/store/jobs/report-by-hand');
    assert.equal(job.metadata.annotations?.['cronjob.kubernetes.io/instantiate'], 'manual');
  });

  test('actions of the console cordon, drain and uncordon a node', async (t) => {
    const page = await at(t, '/r/core/v1/nodes/-/node-1');
    await button(page, 'Cordon…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cordon' }).click();
    await page.getByText('disabled (cordoned)').waitFor();
    assert.equal((await read('/api/v1/nodes/node-1')).spec.unschedulable, true);
    const bare = { containers: [{ name: 'a', image: 'a' }], nodeName: 'node-1' };
    await server.request('POST', `${STORE}/pods`, { metadata: { name: 'bare' }, spec: bare });
    await button(page, 'Drain…').click();
    const pod = (name: RegExp) => dialog.getByRole('row', { name });
    await pod(/bare/).getByText('no controller would replace it').waitFor();
    await pod(/agent-/)
      .getByText('its DaemonSet would bring it back at once')
      .waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Drain' }).isDisabled(), true);
    await dialog.getByLabel(/Evict pods without a controller/).check();
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await dialog.getByText('The node is drained.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const { body } = await server.request('GET', `${STORE}/pods?fieldSelector=spec.nodeName%3Dnode-1`);
    const left = (body as { items: Stored[] }).items.map(({ metadata }) => metadata.name);
    assert.ok(left.length === 1 && left[0]?.startsWith('agent-'), left.join());
    await button(page, 'Uncordon…').click();
    await dialog.getByRole('button', { name: 'Uncordon' }).click();
    await page.getByText('enabled', { exact: true }).waitFor();
  });

  test('actions of the console wait with an eviction that a PodDisruptionBudget rejects', async (t) => {
    await server.request('POST', '/apis/policy/v1/namespaces/store/poddisruptionbudgets', {
      metadata: { name: 'orders' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'orders' } } },
    });
    await server.cluster.settled();
    const { body } = await server.request('GET', `${STORE}/pods/orders-0`);
    const { nodeName } = (body as { spec: { nodeName: string } }).spec;
    const page = await at(t, `/r/core/v1/nodes/-/${nodeName}`);
    await button(page, 'Drain…').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('row', { name: /orders-0/ }).waitFor();
    await dialog.getByLabel(/Evict pods without a controller/).check();
    await dialog.getByRole('button', { name: 'Drain' }).click();
    await dialog
      .getByRole('row', { name: /orders-0/ })
      .getByText(/disruption budget/)
      .waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await server.request('GET', `${STORE}/pods/orders-0`)).status, 200);
  });

  test('actions of the console are disabled with a reason if the user may not use them', async (t) => {
    await server.request('POST', `${STORE}/serviceaccounts`, { metadata: { name: 'viewer' } });
    await server.request('POST', `${RBAC}/rolebindings`, {
      metadata: { name: 'viewers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'store' }],
    });
    await server.request('POST', `${RBAC}/roles`, {
      metadata: { name: 'scaler' },
      rules: [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] }],
    });
    await server.request('POST', `${RBAC}/rolebindings`, {
      metadata: { name: 'scalers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'scaler' },
      subjects: [{ kind: 'ServiceAccount', name: 'viewer', namespace: 'store' }],
    });
    const { body } = await server.request('POST', `${STORE}/serviceaccounts/viewer/token`, { spec: {} });
    const page = await at(t, SHOP, kubeconfigOf(server.url, (body as { status: { token: string } }).status.token));
    await page.locator('button[aria-disabled=false]').getByText('Scale…').waitFor();
    for (const [name, why] of [
      ['Restart…', 'You may not patch deployments in the namespace store.'],
      ['Delete…', 'You may not delete deployments in the namespace store.'],
    ] as const) {
      await page.locator('button[aria-disabled=true]').getByText(name).waitFor();
      assert.match(String(await button(page, name).getAttribute('title')), new RegExp(`^${why}`));
    }
    await button(page, 'Delete…').click({ force: true });
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByText('Not looked for, because you may not list them: secrets.').waitFor();
  });
});

function kubeconfigOf(server: string, token: string): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'viewer' },
    clusters: [{ name: 'store', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'viewer', user: { token } }],
    contexts: [{ name: 'viewer', context: { cluster: 'store', user: 'viewer' } }],
  });
}
