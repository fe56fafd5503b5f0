// Lists of the console in a browser: live, filtered, by keyboard, of ten thousand rows, and with names that somebody
// meant to be markup.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { until } from '../until.ts';
import { Consoles, skip } from './browser.ts';
import { fillShop } from './sample.ts';

const PODS = '/r/core/v1/pods';

describe('lists of the console', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  let kubeconfig: string;
  before(async () => {
    server = await startTestServer({ listen: true });
    kubeconfig = server.kubeconfigText;
    await fillShop((method, path, body) => server.request(method, path, body));
    consoles = await Consoles.start();
  });
  after(async () => {
    await consoles?.close();
    await server?.close();
  });

  test('lists of the console show the columns of the server, and follow changes of objects', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}/r/core/v1/configmaps?ns=shop`);
    await page.getByRole('columnheader', { name: 'Data' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await server.request('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name: 'late' } });
    const row = page.getByRole('row', { name: /^late/ });
    await row.getByText('0', { exact: true }).waitFor();
    await server.patch('/api/v1/namespaces/shop/configmaps/late', { data: { a: '1', b: '2' } });
    await row.getByText('2', { exact: true }).waitFor();
    await server.request('DELETE', '/api/v1/namespaces/shop/configmaps/late');
    await row.waitFor({ state: 'detached' });
  });

  test('lists of the console are filtered by text, also that of labels, by labels and by fields', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${PODS}?ns=shop`);
    await counted(page, '8');
    await page.keyboard.press('/');
    await page.keyboard.type('cart');
    await counted(page, '2 of 8');
    await page.getByLabel('Filter rows').fill('tier=frontend x2k8p');
    await counted(page, '1 of 8');
    await page.getByLabel('Filter rows').fill('');
    await page.getByLabel('Label selector').fill('app in (web, cart)');
    await page.keyboard.press('Enter');
    await counted(page, '4');
    await page.getByLabel('Label selector').fill('');
    await page.keyboard.press('Enter');
    await page.getByLabel('Field selector').fill('metadata.name=web-7d4b9c-x2k8p');
    await page.keyboard.press('Enter');
    await counted(page, '1');
    await page.goto(`${origin}${PODS}?ns=shop&labels=app%3Dnone`);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await counted(page, '8');
  });

  test('lists of the console are used by keyboard: to a kind, along its rows, into an object and back', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.type('po');
    await page.getByRole('option', { selected: true }).getByText('Pods', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}${PODS}`);
    await page.getByRole('row', { name: /^cart/ }).first().waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'End']) await page.keyboard.press(key);
    await page.locator('[role=row].chosen').getByText('web-7d4b9c-x2k8p').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}${PODS}/shop/cart-7d4b9c-x2k8p`);
    await page.goBack();
    await page.getByRole('grid', { name: 'Pod' }).waitFor();
  });

  test('lists of the console answer to keys on a fresh page, and show all keys on a question mark', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${PODS}?ns=shop`);
    await page.getByRole('row', { name: /^cart/ }).first().waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByText('Filter the rows of a list').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    assert.equal(await page.locator('[role=row].chosen').count(), 0, 'keys do not reach behind a dialog');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}${PODS}/shop/cart-**`);
  });

  test('lists of the console are linked at the side, those of the cluster alone before those of every cluster', async (t) => {
    const definition = {
      metadata: { name: 'databases.platform.example.com' },
      spec: {
        ...{ group: 'platform.example.com', scope: 'Namespaced', names: { plural: 'databases', kind: 'Database' } },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    assert.equal((await server.request('POST', definitions, definition)).status, 201);
    await until('the kind is served', async () => {
      return (await server.request('GET', '/apis/platform.example.com/v1')).status === 200;
    });
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${PODS}`);
    await page.getByRole('heading', { name: 'Tools' }).waitFor();
    const titles = await page.locator('nav section h2').allTextContents();
    const [own, cluster, builtin] = ['platform.example.com', 'Cluster', 'admissionregistration'].map((title) =>
      titles.indexOf(title),
    );
    assert.ok(own! > 0 && own! < cluster! && cluster! < builtin!, titles.join(', '));
    assert.equal(titles[cluster! + 1], 'Tools');
  });

  test('lists of the console give most room to the messages of events', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}/r/core/v1/events?ns=shop`);
    const width = async (name: string) => (await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0;
    await page.getByRole('columnheader', { name: 'Message' }).waitFor();
    const [message, seen] = [await width('Message'), await width('Last Seen')];
    assert.ok(message > 3 * seen, `Message ${message}, Last Seen ${seen}`);
  });

  test('lists of the console keep the namespace from kind to kind, with favorites first', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${PODS}`);
    await page.getByLabel('Namespace').selectOption('shop');
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments', exact: true }).click();
    await page.waitForURL(`${origin}/r/apps/v1/deployments?ns=shop`);
    await counted(page, '4');
    await page.getByRole('button', { name: 'Favourite' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Favourites' }).waitFor();
    await page.goto(`${origin}/r/batch/v1/jobs?ns=shop`);
    await page.getByText('No Jobs in namespace shop.').waitFor();
  });

  test('lists of the console show all columns of the server, owners and labels, aligned with their headers', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}${PODS}?ns=shop`);
    await counted(page, '8');
    await page.getByLabel('Wide').check();
    await page.getByRole('columnheader', { name: 'Readiness Gates' }).waitFor();
    await page.getByRole('gridcell', { name: 'ReplicaSet/web-7d4b9c' }).first().waitFor();
    const lefts = (selector: string) =>
      page.locator(selector).evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)));
    const heads = await lefts('[role=columnheader]');
    assert.deepEqual(await lefts('[role=row][aria-rowindex="3"] [role=gridcell]'), heads);
    assert.deepEqual(await lefts('[role=row][aria-rowindex="9"] [role=gridcell]'), heads);
  });

  test('lists of the console have rows that are selected with boxes, with Shift and by keyboard, and deleted together', async (t) => {
    const names = ['bulk-a', 'bulk-b', 'bulk-c', 'bulk-d', 'bulk-e'];
    for (const name of names)
      await server.request('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name } });
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}/r/core/v1/configmaps?ns=shop&q=bulk`);
    await page.getByLabel('Select bulk-b').click();
    await page.getByLabel('Select bulk-d').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('grid').focus();
    for (const key of ['Home', ' ']) await page.keyboard.press(key);
    await page.getByText('4 selected').waitFor();
    await page.getByLabel('Select bulk-a').click();
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Delete selected…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 ConfigMaps' });
    await dialog.getByText('shop/bulk-c').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('group', { name: 'Selection' }).waitFor({ state: 'detached' });
    const { body } = await server.request('GET', '/api/v1/namespaces/shop/configmaps');
    const left = (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(
      names.filter((name) => left.includes(name)),
      ['bulk-a', 'bulk-e'],
    );
  });

  test('lists of the console show several namespaces at once', async (t) => {
    for (const name of ['east', 'west']) {
      await server.request('POST', '/api/v1/namespaces', { metadata: { name } });
      const path = `/api/v1/namespaces/${name}/configmaps`;
      await server.request('POST', path, { metadata: { name: `map-of-${name}` } });
    }
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}/r/core/v1/configmaps?ns=shop`);
    await page.getByLabel('Namespace', { exact: true }).selectOption('Several…');
    const dialog = page.getByRole('dialog', { name: 'Several namespaces' });
    for (const name of ['east', 'west']) await dialog.getByLabel(name).check();
    await dialog.getByLabel('shop').uncheck();
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/ns=east%2Cwest/);
    await page.getByRole('row', { name: /^map-of-east east/ }).waitFor();
    await page.getByRole('row', { name: /^map-of-west west/ }).waitFor();
    await server.request('POST', '/api/v1/namespaces/west/configmaps', { metadata: { name: 'late' } });
    await page.getByRole('row', { name: /^late west/ }).waitFor();
  });

  test('lists of the console show any value from the cluster as text', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    const markup = '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>';
    const annotations = {
      'example.com/markup': markup,
      'example.com/long': 'long '.repeat(4000),
      'example.com/rtl': '\u202egnirts\u202c مرحبا',
      'example.com/yaml': '*alias\n--- &a [}\n%TAG',
    };
    // Names of roles may be nearly anything.
    const name = 'x:<img src=x onerror=alert(1)> $& \u202eltr';
    const labels = { hostile: 'yes' };
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const { status } = await server.request('POST', path, { metadata: { name, annotations, labels }, rules: [] });
    assert.equal(status, 201);
    await page.goto(`${origin}/r/rbac.authorization.k8s.io/v1/clusterroles?labels=hostile`);
    await page.getByRole('gridcell', { name }).first().click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText(markup.slice(0, 30)).waitFor();
    for (const tab of ['YAML', 'Field ownership', 'History', 'Related', 'Apply', 'Events']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('heading', { name }).waitFor();
    }
    assert.equal(await page.title(), `${name} · ClusterRoles · Keelson`);
    assert.equal(await page.locator('main img, main script, main b').count(), 0);
  });

  test('lists of the console show ten thousand pods at once, and scroll with few rows in the document', async (t) => {
    const pod = { spec: { containers: [{ name: 'a', image: 'a' }] } };
    await server.request('POST', '/api/v1/namespaces', { metadata: { name: 'crowd' } });
    await server.request('POST', '/api/v1/namespaces/crowd/serviceaccounts', { metadata: { name: 'default' } });
    for (let first = 0; first < 10_000; first += 200) {
      const names = Array.from({ length: 200 }, (_, at) => `pod-${String(first + at).padStart(5, '0')}`);
      const made = names.map((name) =>
        server.request('POST', '/api/v1/namespaces/crowd/pods', { metadata: { name }, ...pod }),
      );
      for (const { status } of await Promise.all(made)) assert.equal(status, 201);
    }
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    const begun = performance.now();
    await page.goto(`${origin}${PODS}?ns=crowd`);
    await page.locator('.body [role=row]').first().waitFor();
    const firstRows = performance.now() - begun;
    await counted(page, '10000');
    t.diagnostic(`first rows ${Math.round(firstRows)} ms, all ${Math.round(performance.now() - begun)} ms`);
    const grid = page.getByRole('grid');
    const longest = await grid.evaluate(async (element) => {
      const frames = globalThis as unknown as { requestAnimationFrame(next: () => void): void };
      let worst = 0;
      for (let at = 0; at <= 40; at++) {
        element.scrollTop = (element.scrollHeight * at) / 40;
        await new Promise<void>((done) => frames.requestAnimationFrame(() => frames.requestAnimationFrame(done)));
        worst = Math.max(worst, element.querySelectorAll('[role=row]').length);
      }
      return worst;
    });
    assert.ok(longest < 80, `${longest} rows in the document`);
    await page.getByRole('gridcell', { name: 'pod-09999' }).first().waitFor();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.getByRole('gridcell', { name: 'pod-00000' }).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('pod-0777');
    await counted(page, '10 of 10000');
  });
});

/** Waits until the list counts its rows so. */
async function counted(page: Page, text: string): Promise<void> {
  await page.getByRole('status', { name: 'Count' }).getByText(text, { exact: true }).waitFor();
}
