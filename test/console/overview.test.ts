// The overview of the console in a browser, over a cluster with simulated nodes: what is there, what is wrong, and what
// happened, all of it live.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillStore } from './living-sample.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/store/deployments';

describe('the overview of the console', { skip }, () => {
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

  const card = (page: Page, kind: string) => page.getByRole('main').getByRole('link', { name: new RegExp(`^${kind}`) });
  const trouble = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Needs attention' }).getByRole('row', { name });

  test('the overview of the console comes first, counts workloads by state and shows what is wrong with which object', async (t) => {
    const { page } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await card(page, 'Deployments').getByText('1 not ready').waitFor();
    await card(page, 'Deployments').getByText('1 ready').waitFor();
    await card(page, 'Nodes').getByText('2 ready').waitFor();
    await card(page, 'Jobs').getByText('1 failed').waitFor();
    await trouble(page, 'Deployment search').getByText('0 of 1 replicas ready').waitFor();
    await trouble(page, 'Pod search').getByText('ImagePullBackOff', { exact: true }).waitFor();
    await trouble(page, 'Pod giant').getByText('0/2 nodes are available').waitFor();
    await trouble(page, 'Job import').getByText('Failed').first().waitFor();
    await page.getByRole('table', { name: 'Events' }).getByText('Scheduled').first().waitFor();
    assert.equal(await page.title(), 'Overview · Keelson');
  });

  test('the overview of the console follows a rollout, a cordoned node and the choice of a namespace', async (t) => {
    const { page } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.getByText('live', { exact: true }).waitFor();
    await server.patch(`${DEPLOYMENTS}/search`, {
      spec: { template: { metadata: { annotations: { 'keelson.dev/fail-to-pull': null } } } },
    });
    await card(page, 'Deployments').getByText('2 ready').waitFor();
    await trouble(page, 'Deployment search').waitFor({ state: 'detached' });
    await server.patch('/api/v1/nodes/node-2', { spec: { unschedulable: true } });
    await card(page, 'Nodes').getByText('1 cordoned').waitFor();
    await trouble(page, 'Node node-2').getByText('SchedulingDisabled').waitFor();
    await page.getByLabel('Namespace').selectOption('default');
    await card(page, 'Pods').getByText('none').waitFor();
    await card(page, 'Nodes').getByText('1 cordoned').waitFor();
    await trouble(page, 'Job import').waitFor({ state: 'detached' });
    await card(page, 'Pods').click();
    await page.getByText('No Pods in namespace default.').waitFor();
    assert.equal(await page.title(), 'Pods · default · Keelson');
  });

  test('the overview of the console is replaced by an error for an address of nothing', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.goto(`${origin}/nowhere`);
    await page.getByText('There is no page at this address.').waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
