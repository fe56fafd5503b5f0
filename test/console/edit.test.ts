// Writing in the console's editor: what helps while typing, what is asked of the server before anything is written, and
// what a console that only reads keeps back.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { Consoles, paste, skip } from './browser.ts';
import { fillShop } from './sample.ts';

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web';
const WEB_PAGE = '/r/apps/v1/deployments/shop/web?tab=yaml';

describe('the editor of the console', { skip }, () => {
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

  async function at(t: TestContext, path: string, readOnly = false): Promise<Page> {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText, readOnly });
    await page.goto(`${origin}${path}`);
    return page;
  }

  async function replicas(): Promise<number> {
    const { body } = await server.request('GET', WEB);
    return (body as { spec: { replicas: number } }).spec.replicas;
  }

  test('the editor of the console completes fields with their documentation, and marks values of the wrong type', async (t) => {
    const page = await at(t, WEB_PAGE);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await endOfLine(page, /^spec:/);
    await page.keyboard.press('Enter');
    await page.keyboard.type('  minR', { delay: 30 });
    const option = page.getByRole('option', { name: /minReadySeconds/ });
    // The types of the fields may arrive later than what is typed: whoever waits asks again.
    await until('the field is offered', async () => {
      if (!(await option.isVisible())) await page.keyboard.press('Control+Space');
      return option.isVisible();
    });
    await page.getByText(/Minimum number of seconds/).waitFor();
    await page.getByRole('option', { name: /minReadySeconds/ }).click();
    await page.keyboard.type('soon');
    await page.locator('.cm-lintRange').first().waitFor();
    await page.locator('.cm-lintRange').first().hover();
    await page.getByText('must be an integer').waitFor();
  });

  test('the editor of the console shows the changes by a dry run, and writes nothing before confirmation', async (t) => {
    const page = await at(t, WEB_PAGE);
    const before = await replicas();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await endOfLine(page, /^ {2}replicas:/);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('7');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.locator('.cm-deletedChunk').getByText(`${before}`).first().waitFor();
    assert.equal(await replicas(), before);
    await page.getByRole('button', { name: 'Back to editing' }).click();
    await page.locator('.cm-line').filter({ hasText: 'replicas: 7' }).waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    assert.equal(await replicas(), 7);
  });

  test('the editor of the console shows the causes of a rejection, and leaves nothing of a discarded edit', async (t) => {
    const page = await at(t, WEB_PAGE);
    const before = await replicas();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await endOfLine(page, /^ {2}replicas:/);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('-3');
    await page.getByRole('button', { name: 'Review changes' }).click();
    const alert = page.getByRole('alert');
    await alert
      .getByText(/must be greater than or equal to 0/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page
      .locator('.cm-line')
      .filter({ hasText: `replicas: ${before}` })
      .waitFor();
    assert.equal(await replicas(), before);
  });

  test('the editor of the console checks several documents together and creates them in order', async (t) => {
    const page = await at(t, '/new/core/v1/configmaps?ns=shop');
    const text = [
      'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: fresh\n',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: first\n  namespace: fresh\ndata:\n  a: b\n',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: second\n  namespace: shop\n',
    ].join('---\n');
    await paste(page.locator('.cm-content'), text);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('ConfigMap first can be tried when its namespace is there.').waitFor();
    assert.equal((await server.request('GET', '/api/v1/namespaces/fresh')).status, 404);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const done = page.getByRole('status');
    for (const name of ['fresh', 'first', 'second']) await done.getByRole('link', { name }).waitFor();
    assert.equal((await server.request('GET', '/api/v1/namespaces/fresh/configmaps/first')).status, 200);
  });

  test('the editor of the console creates no document if the server rejects one', async (t) => {
    const page = await at(t, '/new/core/v1/configmaps?ns=shop');
    const good = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: third\n  namespace: shop\n';
    await paste(page.locator('.cm-content'), `${good}---\n${good.replace('third', 'No_Such_Name')}`);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page
      .getByRole('alert')
      .getByText(/ConfigMap No_Such_Name: .*Invalid value/)
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled(), true);
    assert.equal((await server.request('GET', '/api/v1/namespaces/shop/configmaps/third')).status, 404);
  });

  test('the editor of the console links events and relations of an object to their objects', async (t) => {
    const page = await at(t, '/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=events');
    await page.getByRole('cell', { name: 'Back-off restarting failed container search' }).waitFor();
    await page.getByRole('tab', { name: 'Related' }).click();
    await page.getByRole('button', { name: 'As a list' }).click();
    await page.getByRole('link', { name: 'search', exact: true }).click();
    await page.getByRole('heading', { name: 'search', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Related' }).click();
    await page.getByText('search-7d4b9c-m9qzt').waitFor();
  });

  test('the editor of the console offers no changes in a read-only console, which rejects them', async (t) => {
    const page = await at(t, WEB_PAGE, true);
    await page.getByText('read-only', { exact: true }).waitFor();
    for (const name of ['Edit', 'Delete…']) {
      assert.equal(await page.getByRole('button', { name }).isDisabled(), true, name);
    }
    await page.getByRole('tab', { name: 'Apply' }).click();
    assert.equal(await page.getByRole('button', { name: 'Review' }).isDisabled(), true);
    const status = await page.evaluate(async (path) => {
      const { status } = await fetch(`/k8s${path}`, { method: 'DELETE' });
      return status;
    }, WEB);
    assert.equal(status, 403);
    assert.equal((await server.request('GET', WEB)).status, 200);
  });
});

async function endOfLine(page: Page, text: RegExp): Promise<void> {
  await page.locator('.cm-line').filter({ hasText: text }).first().click();
  await page.keyboard.press('End');
}
