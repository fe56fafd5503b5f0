// The summaries of objects in a browser, over a cluster with simulated nodes: what they are, how they are, what they hang
// together with and what happened to them.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillStore } from './living-sample.ts';

const PODS = '/api/v1/namespaces/store/pods';

describe('summaries of the console', { skip }, () => {
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

  async function at(t: TestContext, path: string): Promise<Page> {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.goto(`${origin}${path}`);
    return page;
  }

  async function podOf(app: string): Promise<string> {
    const { body } = await server.request('GET', `${PODS}?labelSelector=app%3D${app}`);
    return (body as { items: { metadata: { name: string } }[] }).items[0]!.metadata.name;
  }

  const row = (page: Page, table: string, name: string | RegExp) =>
    page.getByRole('table', { name: table }).getByRole('row', { name });

  test('summaries of the console show the state, containers, relations and events of a pod', async (t) => {
    const page = await at(t, `/r/core/v1/pods/store/${await podOf('shop')}`);
    await page.getByLabel('Summary').getByText('Running').waitFor();
    await row(page, 'Containers', /^shop/).getByText('registry.example/shop:1.4').waitFor();
    await row(page, 'Conditions', /^Ready True/).waitFor();
    await row(page, 'Related objects', 'ConfigMap settings').getByText('environment').waitFor();
    await row(page, 'Related objects', 'Secret payment').getByText('volume').waitFor();
    await row(page, 'Related objects', 'Service shop').getByText('selects it').waitFor();
    await row(page, 'Related objects', 'Ingress shop').getByText('routes to shop').waitFor();
    await row(page, 'Events', 'Started').first().waitFor();
    await page.getByRole('link', { name: /^shop-/ }).click();
    await page.getByRole('link', { name: 'ReplicaSets' }).first().waitFor();
    await row(page, 'Pods', /^shop-/)
      .first()
      .waitFor();
  });

  test('summaries of the console open a port of this machine that leads to a pod, and close it', async (t) => {
    const page = await at(t, `/r/core/v1/pods/store/${await podOf('shop')}`);
    await page.getByRole('button', { name: 'Forward', exact: true }).click();
    const link = page.getByRole('link', { name: /^127\.0\.0\.1:\d+$/ });
    const address = (await link.getAttribute('href')) ?? '';
    assert.equal((await fetch(address)).status, 200);
    await page.getByRole('button', { name: 'Stop forwarding port 8080' }).click();
    await link.waitFor({ state: 'hidden' });
    await assert.rejects(fetch(address));
  });

  test('summaries of the console show why a failing pod does not run', async (t) => {
    const page = await at(t, `/r/core/v1/pods/store/${await podOf('search')}`);
    await row(page, 'Containers', /^search/)
      .getByText(/^(ImagePullBackOff|ErrImagePull)$/)
      .waitFor();
    await row(page, 'Conditions', /^Ready False/)
      .getByText('ContainersNotReady')
      .waitFor();
    await row(page, 'Events', 'Failed').first().waitFor();
  });

  test('summaries of the console follow the rollout of a Deployment', async (t) => {
    const page = await at(t, '/r/apps/v1/deployments/store/shop');
    await page.getByText('3 of 3 ready, 3 up to date').waitFor();
    await server.patch('/apis/apps/v1/namespaces/store/deployments/shop', { spec: { replicas: 2 } });
    await page.getByText('2 of 2 ready, 2 up to date').waitFor();
    await row(page, 'Events', 'ScalingReplicaSet')
      .getByText(/from 3 to 2/)
      .waitFor();
    assert.equal(await row(page, 'Pods', /^shop-/).count(), 2);
  });

  test('summaries of the console show that a referenced object is missing', async (t) => {
    await server.request('POST', PODS, {
      metadata: { name: 'incomplete' },
      spec: { containers: [{ name: 'a', image: 'a', envFrom: [{ secretRef: { name: 'forgotten' } }] }] },
    });
    const page = await at(t, '/r/core/v1/pods/store/incomplete');
    const missing = row(page, 'Related objects', 'Secret forgotten');
    await missing.getByText('does not exist').waitFor();
    await server.request('POST', '/api/v1/namespaces/store/secrets', { metadata: { name: 'forgotten' } });
    await missing.getByRole('link', { name: 'forgotten' }).waitFor();
    await missing.getByText('does not exist').waitFor({ state: 'detached' });
  });

  test('summaries of the console show the pods of a node, and the volume and pods of a claim', async (t) => {
    const page = await at(t, '/r/core/v1/nodes/-/node-1');
    await row(page, 'Pods', /^agent-.* store/).waitFor();
    await row(page, 'Conditions', /^Ready True/).waitFor();
    await page.goto(new URL('/r/core/v1/persistentvolumeclaims/store/data-orders-0', page.url()).href);
    await page.getByLabel('Summary').getByText('Bound').waitFor();
    await row(page, 'Related objects', 'Pod orders-0').getByText('uses it: volume').waitFor();
  });

  test('summaries of the console show the fields of kinds that nobody has written one for', async (t) => {
    const role = {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }],
    };
    await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/store/roles', role);
    const budget = {
      metadata: { name: 'shop' },
      spec: { minAvailable: 2, selector: { matchLabels: { app: 'shop' } } },
    };
    await server.request('POST', '/apis/policy/v1/namespaces/store/poddisruptionbudgets', budget);
    const page = await at(t, '/r/policy/v1/poddisruptionbudgets/store/shop');
    await page.getByLabel('Summary').getByText('minAvailable').waitFor();
    await page.getByLabel('Summary').getByText('selector.matchLabels.app').waitFor();
    await page.goto(`${new URL(page.url()).origin}/r/rbac.authorization.k8s.io/v1/roles/store/reader`);
    await row(page, 'rules', /pods, pods\/log/).waitFor();
  });

  test('summaries of the console show the value of a Secret on request', async (t) => {
    const page = await at(t, '/r/core/v1/secrets/store/payment');
    const entry = row(page, 'Data', 'key');
    await entry.getByRole('button', { name: 'Show key' }).waitFor();
    assert.equal(await page.getByText('secret', { exact: true }).count(), 0);
    await entry.getByRole('button', { name: 'Show key' }).click();
    await entry.getByText('secret', { exact: true }).waitFor();
  });
});
