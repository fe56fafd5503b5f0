// The console's page as other pages and other people see it, and as everybody can use it: another origin gets nothing,
// axe finds nothing to complain of in either theme, and what was on the screen comes back after the server did.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../src/index.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillShop } from './sample.ts';
import { WIDTHS } from './views.ts';

const CONFIG_MAPS = '/api/v1/namespaces/shop/configmaps';
const WEB_PAGE = '/r/apps/v1/deployments/shop/web';

/** Every view of the page, and a text that shows that it is there. */
const VIEWS: readonly (readonly [path: string, shown: string | RegExp])[] = [
  ['/', 'Needs attention'],
  ['/events?ns=shop', '12 times'],
  ['/topology?ns=shop', 'selects'],
  ['/nowhere', 'There is no page at this address.'],
  ['/r/core/v1/pods?ns=shop', 'CrashLoopBackOff'],
  ['/r/core/v1/pods?ns=shop&wide=1', 'Readiness Gates'],
  ['/r/batch/v1/jobs?ns=shop', 'No Jobs in namespace shop.'],
  ['/r/core/v1/pods/shop/search-7d4b9c-m9qzt', 'back-off 40s restarting failed container'],
  [WEB_PAGE, 'selects its pods'],
  ['/r/core/v1/configmaps/shop/settings', 'shop.properties'],
  ['/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=yaml', 'metadata'],
  ['/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=events', 'BackOff'],
  ['/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=logs', 'search'],
  ['/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=terminal', 'Run'],
  [`${WEB_PAGE}?tab=apply`, 'Start over'],
  [`${WEB_PAGE}?tab=fields`, 'unknown (Update)'],
  [`${WEB_PAGE}?tab=history`, 'unknown (Update)'],
  [`${WEB_PAGE}?tab=related`, 'web-7d4b9c-x2k8p'],
  [`${WEB_PAGE}?tab=related&as=list`, 'web-7d4b9c-x2k8p'],
  ['/r/core/v1/pods/shop/gone', 'pods "gone" not found'],
  ['/new/apps/v1/deployments?ns=shop', 'Dry run'],
  ['/access', 'kubernetes-admin'],
  ['/access?tab=who&verb=get&what=pods&ns=shop', 'By RBAC.'],
  ['/lifecycles', 'Served versions'],
  ['/expressions', 'Estimate'],
  ['/server', /checks of \/readyz pass/],
];

/** Views in a test, which ends in a minute on a slow machine, too. */
const AT_ONCE = 9;

describe('access to the console page', { skip }, () => {
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

  for (const theme of ['light', 'dark'] as const) {
    for (let start = 0; start < VIEWS.length; start += AT_ONCE) {
      test(`access to the console page includes views without accessibility violations at every width, ${theme}, from ${VIEWS[start]?.[0]} on`, async (t) => {
        const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText, theme, script: AXE });
        const found: Record<string, unknown> = {};
        for (const [path, shown] of VIEWS.slice(start, start + AT_ONCE)) {
          await page.goto(`${origin}${path}`);
          await page.getByRole('main').getByText(shown).first().waitFor();
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            const some = await violations(page);
            if (some.length > 0) found[`${path} at ${width}`] = some;
          }
        }
        assert.deepEqual(found, {});
      });
    }

    test(`access to the console page includes accessible dialogs, selections and the command palette, ${theme}`, async (t) => {
      const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText, theme, script: AXE });
      await page.goto(`${origin}${WEB_PAGE}`);
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByText('objects belong to it').waitFor();
      assert.deepEqual(await violations(page), [], 'the dialog of a deletion');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Scale…' }).click();
      await page.getByRole('dialog').getByLabel('Replicas').waitFor();
      assert.deepEqual(await violations(page), [], 'the dialog of an action');
      await page.goto(`${origin}/r/core/v1/pods?ns=shop`);
      await page.getByLabel('Select all rows').check();
      await page.getByText('8 selected').waitFor();
      assert.deepEqual(await violations(page), [], 'a list with selected rows');
      await page.keyboard.press('Control+k');
      await page.getByRole('listbox').waitFor();
      assert.deepEqual(await violations(page), [], 'the command palette');
    });
  }

  test('access to the console page is denied to pages of other origins: they read, change and show nothing of it', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    const other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<script>${intruder(origin)}</script>`),
    );
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    t.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    const { body: before } = await server.request('GET', CONFIG_MAPS);
    // The same browser, with the console's cookie; a port of the same host is the same site.
    const stranger = await page.context().newPage();
    await stranger.goto(`http://127.0.0.1:${port}/`);
    const seen = await stranger.evaluate('tried');
    assert.deepEqual(seen, { read: 'failed', written: 'failed', opened: false, framed: 'nothing' });
    assert.deepEqual((await server.request('GET', CONFIG_MAPS)).body, before);
  });

  test('access to the console page is restored with current lists after a restart of the server', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'keelson-console-'));
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startServer({ dataDir, securePort: 0 });
    const securePort = Number(new URL(first.url).port);
    const kubeconfig = first.kubeconfigText!;
    const { page, origin } = await consoles.forTest(t, { kubeconfig });
    await page.goto(`${origin}/r/core/v1/namespaces`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^kube-system/ }).waitFor();
    await first.close();
    await page.getByText('reconnecting', { exact: true }).waitFor();
    const second = await startServer({ dataDir, securePort });
    t.after(() => second.close());
    const made = await page.evaluate(async () => {
      const body = JSON.stringify({ metadata: { name: 'after-restart' } });
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/k8s/api/v1/namespaces', { method: 'POST', headers, body })).status;
    });
    assert.equal(made, 201);
    await page.getByRole('row', { name: /^after-restart/ }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
  });
});

/** What a page of another origin tries on a console, as its script. */
const intruder = (console: string): string => `
  const ask = (init) =>
    fetch('${console}/k8s${CONFIG_MAPS}', { credentials: 'include', ...init }).then(
      ({ type, status }) => type + ' ' + status,
      () => 'failed',
    );
  const connect = () => new Promise((done) => {
    const socket = new WebSocket('${console.replace('http', 'ws')}/console/watches');
    socket.onopen = () => done(true);
    socket.onerror = () => done(false);
  });
  const frame = () => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.src = '${console}/';
    frame.onload = () => done(frame.contentDocument?.title ?? 'nothing');
    document.documentElement.append(frame);
  });
  const body = new Blob(['{"metadata":{"name":"taken"}}'], { type: 'text/plain' });
  const tried = (async () => ({
    read: await ask({}),
    written: await ask({ method: 'POST', mode: 'no-cors', body }),
    opened: await connect(),
    framed: await frame(),
  }))();
`;

/** axe, put into the page before its own scripts: the page's policy lets no other script in later. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
    }));
  });
}
