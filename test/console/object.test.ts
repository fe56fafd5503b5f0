// Objects of the console in a browser: edited against another writer, applied and deleted, with their owners and versions.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { applyAs, deploymentOf, fillShop } from './sample.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments';
const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

describe('objects of the console', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  before(async () => {
    server = await startTestServer({ listen: true });
    await fillShop((method, path, body) => server.request(method, path, body));
    consoles = await Consoles.start();
  });
  after(async () => {
    await consoles?.close();
    await server?.close();
  });

  /** The page at a place of the console. */
  async function at(t: TestContext, path: string): Promise<Page> {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.goto(`${origin}${path}`);
    return page;
  }

  test('objects of the console have their edit carried over to a newer version of another writer', async (t) => {
    await server.request('POST', CONFIG_MAPS, { metadata: { name: 'raced' }, data: { colour: 'red' } });
    const page = await at(t, '/r/core/v1/configmaps/shop/raced?tab=yaml');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await replaceLine(page, 'colour: red', '  colour: blue');
    await server.patch(`${CONFIG_MAPS}/raced`, { data: { size: 'xl' } });
    await page.getByText('changed meanwhile').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText(/the object has been modified/).waitFor();
    await alert.getByText(/Somebody else changed other parts/).waitFor();
    await alert.getByRole('button', { name: 'Carry my edit over' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    const { body } = await server.request('GET', `${CONFIG_MAPS}/raced`);
    assert.deepEqual((body as { data: unknown }).data, { colour: 'blue', size: 'xl' });
  });

  test('objects of the console have fields of other managers that are kept or taken over one by one', async (t) => {
    await server.request('POST', `${DEPLOYMENTS}?fieldManager=maker`, deploymentOf('owned'));
    const mine = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'owned', labels: { owner: 'helm' } } };
    await applyAs(server, `${DEPLOYMENTS}/owned`, mine, 'helm');
    const page = await at(t, '/r/apps/v1/deployments/shop/owned?tab=apply');
    await page.getByRole('textbox', { name: 'Fields of owned to apply' }).getByText('namespace').click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.insertText('labels:\n    owner: console\n    tier: other\nspec:\n  replicas: 5');
    await page.getByRole('button', { name: 'Review' }).click();
    const row = (field: string) => page.getByRole('row', { name: field });
    await row('.metadata.labels.owner').getByText('"helm"').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Review' }).isDisabled(), true);
    await row('.metadata.labels.owner').getByLabel('Leave it out').check();
    await row('.metadata.labels.tier').getByLabel('Leave it out').check();
    await row('.spec.replicas')
      .getByText(/"maker"/)
      .waitFor();
    await row('.spec.replicas').getByLabel('Take it over').check();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByText('takes fields over').waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('button', { name: 'Review' }).waitFor();
    const { body } = await server.request('GET', `${DEPLOYMENTS}/owned`);
    const stored = body as { metadata: { labels: Record<string, string> }; spec: { replicas: number } };
    assert.equal(stored.spec.replicas, 5);
    assert.equal(stored.metadata.labels['owner'], 'helm');
    // What was applied is where the next application begins.
    await page.getByRole('textbox', { name: 'Fields of owned to apply' }).getByText('replicas').waitFor();
    await page.getByRole('tab', { name: 'Field ownership' }).click();
    await page.getByRole('button', { name: 'keelson-console (Apply)' }).click();
    await page.locator('.cm-line.owned').getByText('replicas').waitFor();
    assert.equal(await page.locator('.cm-line.owned').count(), 1);
  });

  test('objects of the console have a history with versions from before the page was opened, and their differences', async (t) => {
    await server.request('POST', CONFIG_MAPS, { metadata: { name: 'aged' }, data: { step: 'one' } });
    for (const step of ['two', 'three']) await server.patch(`${CONFIG_MAPS}/aged`, { data: { step } });
    const page = await at(t, '/r/core/v1/configmaps/shop/aged?tab=history');
    const versions = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem');
    await versions.nth(2).waitFor();
    await page.locator('.cm-deletedChunk').getByText('two').waitFor();
    await versions.nth(2).getByRole('button', { name: 'compare' }).click();
    await page.locator('.cm-deletedChunk').getByText('one').waitFor();
    await server.patch(`${CONFIG_MAPS}/aged`, { data: { step: 'four' } });
    await versions.nth(3).waitFor();
  });

  test('objects of the console are deleted with a list of their dependents, by the chosen propagation policy', async (t) => {
    const page = await at(t, '/r/apps/v1/deployments/shop/checkout');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 objects belong to it.').waitFor();
    await dialog.getByText('apps/v1 ReplicaSet checkout-7d4b9c').waitFor();
    await dialog.getByText('v1 Pod checkout-7d4b9c-x2k8p').waitFor();
    await dialog.getByRole('radio', { name: /Orphan/ }).check();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/^(deleted|being deleted)$/).waitFor();
    const pod = await server.request('GET', '/api/v1/namespaces/shop/pods/checkout-7d4b9c-x2k8p');
    assert.equal(pod.status, 200);
  });
});

/** Puts lines in place of the line that has a text. */
async function replaceLine(page: Page, text: string, lines: string): Promise<void> {
  await page.locator('.cm-line').filter({ hasText: text }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.insertText(lines);
}
