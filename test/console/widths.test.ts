// Every view of the console in windows of several widths: something to see, within the window, and a way to the kinds.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillCluster, VIEWS, WIDTHS } from './views.ts';

/** A page that is magnified to 200 % has a window of half the size. */
const WINDOWS: readonly (readonly [width: number, height: number])[] = [
  ...WIDTHS.map((width) => [width, 800] as const),
  [680, 400],
];

describe('the console in windows of several widths', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  before(async () => {
    server = await startTestServer({ listen: true });
    await fillCluster(server);
    consoles = await Consoles.start();
  });
  after(async () => {
    await consoles?.close();
    await server?.close();
  });

  test('the console in windows of several widths fills a window of any width with every view, and none is wider than its window', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    for (const { name, path } of VIEWS) {
      await page.goto(`${origin}${path}`);
      await page.locator('main').getByText(/\S/).first().waitFor();
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height });
        const { main, content, top, overflow } = await measure(page);
        const where = `${name} at ${width}`;
        assert.ok(main >= (width <= 760 ? width : width - 248), `${where}: the view is ${main} wide`);
        assert.ok(content > 0, `${where}: nothing of the view is visible`);
        assert.ok(overflow <= 0 && top <= width, `${where}: ${overflow} pixels wider than the window`);
      }
    }
  });

  test('the console in windows of several widths shows the field managers of an object above its fields in a narrow window', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.setViewportSize({ width: 420, height: 800 });
    await page.goto(`${origin}/r/apps/v1/deployments/shop/web?tab=fields`);
    const [managers, fields] = [page.locator('.tab.split > aside'), page.locator('.tab.split > .editor')];
    const [above, below] = [await managers.boundingBox(), await fields.boundingBox()];
    assert.ok(above !== null && below !== null);
    assert.ok(above.y + above.height <= below.y && below.width >= 400, JSON.stringify({ above, below }));
  });

  test('the console in windows of several widths has a menu that leads to a kind and closes in a narrow window', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.setViewportSize({ width: 420, height: 800 });
    const kinds = page.getByRole('navigation', { name: 'Kinds' });
    await kinds.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await kinds.getByRole('link', { name: 'Deployment' }).click();
    await page.waitForURL(`${origin}/r/apps/v1/deployments`);
    await kinds.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /^web/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await kinds.waitFor();
    await page.keyboard.press('Escape');
    await kinds.waitFor({ state: 'hidden' });
  });
});

/** Widths in pixels: of the view, of the widest text in it, of the bar at the top, and beyond the window. */
function measure(page: Page): Promise<Record<'main' | 'content' | 'top' | 'overflow', number>> {
  return page.evaluate(() => {
    // Globals of the page, which are not in the types of tests.
    const { document, innerWidth } = globalThis as unknown as {
      readonly innerWidth: number;
      readonly document: {
        readonly documentElement: { readonly scrollWidth: number };
        querySelector(selector: string): {
          readonly clientWidth: number;
          readonly scrollWidth: number;
          readonly children: Iterable<{ readonly clientWidth: number }>;
        };
      };
    };
    const main = document.querySelector('main');
    return {
      main: main.clientWidth,
      content: Math.max(0, ...[...main.children].map((child) => child.clientWidth)),
      top: document.querySelector('.top').scrollWidth,
      overflow: document.documentElement.scrollWidth - innerWidth,
    };
  });
}
