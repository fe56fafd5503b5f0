// The views of the console, with a sample cluster that they show: for tests of every view, and for screenshots.

import type { Page } from 'playwright-core';
import type { TestServer } from '../../src/testing.ts';
import { applyAs, fillShop } from './sample.ts';

export const THEMES = ['light', 'dark'] as const;

/** Window widths from a phone to a large screen, in pixels. */
export const WIDTHS: readonly number[] = [420, 760, 1000, 1360, 1920];

const DEPLOYMENT = '/r/apps/v1/deployments/shop/web';

export interface View {
  readonly name: string;
  readonly path: string;
  /** Brings the page to the state to be shown. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** The theme used in the documentation; undefined for views that it does not show. */
  readonly documented?: (typeof THEMES)[number];
}

export const VIEWS: readonly View[] = [
  { name: 'overview', path: '/' },
  { name: 'timeline', path: '/events' },
  { name: 'topology', path: '/topology?ns=shop', documented: 'light' },
  { name: 'pods', path: '/r/core/v1/pods?ns=shop', documented: 'light' },
  { name: 'pods-wide', path: '/r/core/v1/pods?ns=shop&wide=1' },
  { name: 'pods-filtered', path: '/r/core/v1/pods?ns=shop&q=cart' },
  { name: 'nothing', path: '/r/batch/v1/jobs?ns=shop' },
  { name: 'palette', path: '/r/apps/v1/deployments', prepare: openPalette },
  { name: 'summary', path: DEPLOYMENT },
  { name: 'pod', path: '/r/core/v1/pods/shop/search-7d4b9c-m9qzt', documented: 'dark' },
  { name: 'logs', path: '/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=logs' },
  { name: 'data', path: '/r/core/v1/configmaps/shop/settings' },
  { name: 'yaml', path: `${DEPLOYMENT}?tab=yaml` },
  { name: 'edit', path: `${DEPLOYMENT}?tab=yaml`, prepare: startEdit },
  { name: 'review', path: `${DEPLOYMENT}?tab=yaml`, prepare: reviewEdit, documented: 'dark' },
  { name: 'apply', path: `${DEPLOYMENT}?tab=apply` },
  { name: 'conflict', path: `${DEPLOYMENT}?tab=apply`, prepare: applyWithConflict },
  { name: 'fields', path: `${DEPLOYMENT}?tab=fields`, documented: 'light' },
  { name: 'history', path: `${DEPLOYMENT}?tab=history` },
  { name: 'related', path: `${DEPLOYMENT}?tab=related` },
  { name: 'events', path: '/r/core/v1/pods/shop/search-7d4b9c-m9qzt?tab=events' },
  { name: 'delete', path: DEPLOYMENT, prepare: (page) => page.getByRole('button', { name: 'Delete…' }).click() },
  { name: 'new', path: '/new/apps/v1/deployments?ns=shop' },
  { name: 'access', path: '/access' },
  { name: 'who-may', path: '/access?tab=who' },
  { name: 'lifecycles', path: '/lifecycles' },
  { name: 'expressions', path: '/expressions', documented: 'dark' },
  { name: 'server', path: '/server', documented: 'light' },
  { name: 'missing', path: '/r/core/v1/pods/shop/gone' },
];

/** Fills a server with what the views show. */
export async function fillCluster(server: TestServer): Promise<void> {
  await fillShop((method, path, body) => server.request(method, path, body));
  const mine = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels: { release: 'shop' } } };
  await applyAs(server, '/apis/apps/v1/namespaces/shop/deployments/web', mine, 'helm');
  await server.patch('/apis/apps/v1/namespaces/shop/deployments/web?fieldManager=autoscaler', {
    spec: { replicas: 3 },
  });
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dep');
}

async function startEdit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page
    .locator('.cm-line')
    .filter({ hasText: /^spec:/ })
    .click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('  min', { delay: 40 });
}

async function reviewEdit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await page
    .locator('.cm-line')
    .filter({ hasText: /^ {2}replicas:/ })
    .click();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('5');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('button', { name: 'Write' }).waitFor();
}

async function applyWithConflict(page: Page): Promise<void> {
  await page.locator('.cm-line').filter({ hasText: 'namespace' }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('labels:\n    release: console');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('Take it over').first().waitFor();
}
