// Views of the console that explain a cluster, in a browser: rights, lifecycles, expressions and the server's figures.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, paste, skip } from './browser.ts';
import { fillShop } from './sample.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

describe('explaining views of the console', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  before(async () => {
    server = await startTestServer({ listen: true });
    await fillShop((method, path, body) => server.request(method, path, body));
    await server.request('POST', `${RBAC}/namespaces/shop/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    });
    await server.request('POST', `${RBAC}/namespaces/shop/rolebindings`, {
      metadata: { name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }],
    });
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

  test('explaining views of the console show who the user is, and whether the user may do something', async (t) => {
    const page = await at(t, '/access');
    await page.getByText('kubernetes-admin').waitFor();
    await page.getByRole('table', { name: 'Resources' }).getByText('all verbs').first().waitFor();
    await page.getByLabel('Resource or path').fill('pods/log');
    await page.keyboard.press('Tab');
    await page.getByRole('status').getByText('Yes.').waitFor();
  });

  test('explaining views of the console show who may do something, by which binding and rule', async (t) => {
    const page = await at(t, '/access?tab=who&verb=list&what=pods&ns=shop');
    const row = page.getByRole('row', { name: /jane/ });
    await row.getByText('in shop').waitFor();
    await row.getByRole('link', { name: 'readers' }).waitFor();
    await row.getByText('get, list').waitFor();
    await row.getByRole('link', { name: 'reader', exact: true }).click();
    await page.getByRole('heading', { name: 'reader' }).waitFor();
    await page.goBack();
    await page.getByLabel('Verb').fill('delete');
    await page.keyboard.press('Tab');
    await page.getByRole('heading', { name: /to delete pods in shop/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /jane/ }).count(), 0);
  });

  test('explaining views of the console show deprecated API versions that clients request, and field managers with older ones', async (t) => {
    await server.request('GET', '/api/v1/namespaces/shop/endpoints');
    const page = await at(t, '/lifecycles');
    await page.getByRole('table', { name: 'Deprecated versions in use' }).getByText('endpoints').waitFor();
    await page.getByRole('button', { name: 'Check all objects' }).click();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await page.getByText('None: every entry names the preferred version.').waitFor();
  });

  test('explaining views of the console evaluate a CEL expression while it is typed, with an object of the cluster', async (t) => {
    const page = await at(t, '/expressions');
    const result = (text: string | RegExp) => page.locator('dl.result, .notice[role=status]').getByText(text).first();
    await result('true').waitFor();
    await type(page, '1 + "a"');
    await result(/found no matching overload/).waitFor();
    await type(page, 'self.metadata.labels.size()');
    await result('int').waitFor();
    await page.getByRole('combobox', { name: /^Kind/ }).selectOption('Deployment (apps/v1)');
    await page.getByRole('combobox', { name: /^Object/ }).selectOption({ label: 'shop/web' });
    await type(page, 'self.spec.replicas == 2 && self.metadata.name == "web"');
    await result('true').waitFor();
    await result('bool').waitFor();
  });

  test('explaining views of the console count requests as they arrive and show the health of the server', async (t) => {
    const page = await at(t, '/server');
    await page.getByText(/checks of \/readyz pass/).waitFor();
    const table = page.getByRole('table', { name: 'Requests' });
    await table
      .getByRole('row', { name: /POST pods/ })
      .first()
      .waitFor();
    await server.request('GET', '/apis/apps/v1/namespaces/shop/controllerrevisions');
    await table.getByRole('row', { name: /controllerrevisions/ }).waitFor();
  });

  test('explaining views of the console lead from an object to its dependents in the graph of owners', async (t) => {
    const page = await at(t, '/r/core/v1/pods/shop/web-7d4b9c-x2k8p?tab=related');
    const picture = page.getByRole('group', { name: /Owners and dependents/ });
    await picture.getByRole('link', { name: /ReplicaSet.*web-7d4b9c$/ }).click();
    await page.getByRole('heading', { name: 'web-7d4b9c', exact: true }).waitFor();
  });
});

/** Puts an expression in place of the one that is there. */
function type(page: Page, text: string): Promise<void> {
  return paste(page.getByRole('textbox', { name: 'Expression' }), text);
}
