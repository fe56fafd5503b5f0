// The topology of the console in a browser, over a cluster with simulated nodes: what leads to what, live, by keyboard.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillStore } from './living-sample.ts';

const SHOP = '/apis/apps/v1/namespaces/store/deployments/shop';

describe('the topology of the console', { skip }, () => {
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
  const picture = (page: Page) => page.getByRole('group', { name: /^Topology of store/ });

  test('the topology of the console shows the objects of a namespace with their states, and follows changes', async (t) => {
    const page = await at(t, '/topology?ns=store');
    const graph = picture(page);
    await graph.getByRole('link', { name: 'Ingress shop' }).waitFor();
    await graph.getByRole('link', { name: 'Deployment · ready shop' }).waitFor();
    await graph.getByRole('link', { name: /ImagePull.* search-/ }).waitFor();
    await graph.getByRole('link', { name: 'PersistentVolumeClaim · bound data-orders-1' }).waitFor();
    const pods = graph.getByRole('link', { name: /^Pod · ready shop-/ });
    assert.equal(await pods.count(), 3);
    await server.patch(SHOP, { spec: { replicas: 9 } });
    await graph.getByText('and 3 more Pods').waitFor();
    await server.patch(SHOP, { spec: { replicas: 1 } });
    await graph.getByText('and 3 more Pods').waitFor({ state: 'detached' });
    await page.waitForFunction(() => {
      // Globals of the page, which are not in the types of tests.
      const { document } = globalThis as unknown as { document: { querySelectorAll(s: string): { length: number } } };
      return document.querySelectorAll('.node[title^="Pod shop-"]').length === 1;
    });
  });

  test('the topology of the console is used by arrow keys, from an Ingress along the lines to a pod, which Enter opens', async (t) => {
    const page = await at(t, '/topology?ns=store');
    const graph = picture(page);
    await graph.getByRole('link', { name: 'Ingress shop' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.locator(':focus').getByText('Service').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator(':focus').getByText(/^Pod/).waitFor();
    assert.ok((await graph.locator('path.near').count()) > 1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^shop-/ }).waitFor();
  });

  test('the topology of the console shows and hides kinds by the address', async (t) => {
    const page = await at(t, '/topology?ns=store');
    const kinds = page.getByRole('group', { name: 'Kinds of the picture' });
    await kinds.getByRole('button', { name: /^Pods/, pressed: true }).click();
    await kinds.getByRole('button', { name: /^Pods/, pressed: false }).waitFor();
    assert.equal(await picture(page).getByRole('link', { name: /^Pod / }).count(), 0);
    await kinds.getByRole('button', { name: /^ServiceAccounts/, pressed: false }).click();
    await picture(page).getByRole('link', { name: 'ServiceAccount default' }).waitFor();
    await page.reload();
    await picture(page).getByRole('link', { name: 'ServiceAccount default' }).waitFor();
    assert.equal(await picture(page).getByRole('link', { name: /^Pod / }).count(), 0);
  });
});
