// New objects of the console in a browser: found by the palette, begun with an example, and applied from files.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { applyAs, fillShop } from './sample.ts';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';

describe('new objects of the console', { skip }, () => {
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

  async function at(t: TestContext, path: string): Promise<Page> {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.goto(`${origin}${path}`);
    await page.locator('nav section a').first().waitFor();
    return page;
  }

  const file = (name: string, text: string) => ({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) });
  const data = async (name: string) =>
    ((await server.request('GET', `${CONFIG_MAPS}/${name}`)).body as { data?: Record<string, string> }).data;

  test('the command palette finds objects of all kinds by name', async (t) => {
    const page = await at(t, '/');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pod m9qzt');
    await page.getByRole('option', { name: /search-7d4b9c-m9qzt/ }).waitFor();
    const found = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await found.nth(3).waitFor();
    assert.equal(await found.count(), 4);
    await page.getByRole('combobox', { name: /^Go to/ }).fill('settings');
    await page.getByRole('option', { name: 'settings ConfigMap · shop' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'settings', exact: true }).waitFor();
  });

  test('new objects of the console begin with an example of their kind that the server accepts', async (t) => {
    const page = await at(t, '/new/apps/v1/deployments?ns=shop');
    await page.locator('.cm-line').getByText('# Template describes the pods that will be created.').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('status').getByRole('link', { name: 'example' }).waitFor();
    const { body } = await server.request('GET', '/apis/apps/v1/namespaces/shop/deployments/example');
    assert.equal((body as { spec: { replicas: number } }).spec.replicas, 1);
  });

  test('new objects of the console are applied from files: existing ones are changed after showing the changes, others created', async (t) => {
    await server.request('POST', CONFIG_MAPS, { metadata: { name: 'there' }, data: { colour: 'red', kept: 'yes' } });
    const page = await at(t, '/new');
    const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: shop\n`;
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file('there.yaml', `${map('there')}data:\n  size: xl\n`),
        file('new.yaml', `${map('fresh')}data:\n  a: b`),
      ]);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.locator('.cm-insertedLine, .cm-changedLine').getByText('size: xl').waitFor();
    assert.equal((await data('there'))?.['size'], undefined);
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Applied ConfigMap').waitFor();
    await page.getByText('Created ConfigMap').waitFor();
    assert.deepEqual(await data('there'), { colour: 'red', kept: 'yes', size: 'xl' });
    assert.deepEqual(await data('fresh'), { a: 'b' });
  });

  test('new objects of the console are applied from a file dropped on any view, and conflicts are forced on request only', async (t) => {
    await applyAs(
      server,
      `${CONFIG_MAPS}/owned`,
      {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned' }, data: { colour: 'red' } },
      },
      'helm',
    );
    const page = await at(t, '/r/core/v1/pods?ns=shop');
    await page.getByRole('grid').waitFor();
    await drop(
      page,
      'owned.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: owned\n  namespace: shop\ndata:\n  colour: blue\n',
    );
    await page.locator('.cm-line').getByText('colour: blue').waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page
      .getByRole('alert')
      .getByText(/conflict with "helm"/)
      .waitFor();
    await page.getByLabel('Take over fields of other managers').check();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('Applied ConfigMap').waitFor();
    assert.deepEqual(await data('owned'), { colour: 'blue' });
  });
});

/** Drops a file on the view. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('main').evaluate(
    (element, [fileName, content]) => {
      // Globals of the page, which are not in the types of tests.
      const world = globalThis as unknown as {
        readonly DataTransfer: new () => { readonly items: { add(file: object): void } };
        readonly File: new (parts: readonly string[], name: string) => object;
        readonly DragEvent: new (type: string, init: object) => Event;
      };
      const dataTransfer = new world.DataTransfer();
      dataTransfer.items.add(new world.File([content!], fileName!));
      element.dispatchEvent(new world.DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
}
