// Events of the console in a browser: a timeline with a lane for each object, filtered and live.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';
import { fillStore } from './living-sample.ts';

describe('events of the console', { skip }, () => {
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

  test('events of the console have a timeline with a lane for each object, filtered by words and type', async (t) => {
    const { page, origin } = await consoles.forTest(t, { kubeconfig: server.kubeconfigText });
    await page.goto(`${origin}/events?ns=store`);
    const lane = (name: string) => page.locator('.timeline .lane').filter({ hasText: name });
    await page.getByLabel('Filter events').fill('giant');
    await lane('Pod giant').locator('.warn path').first().waitFor();
    assert.equal(await page.locator('.timeline .lane:not(.axis)').count(), 1);
    await page.getByRole('table', { name: 'Events' }).getByText('FailedScheduling').first().waitFor();
    await page.getByLabel('Filter events').fill('straggler');
    await page.getByText('No events.').waitFor();
    const pod = { metadata: { name: 'straggler' }, spec: { containers: [{ name: 'a', image: 'a' }] } };
    await server.request('POST', '/api/v1/namespaces/store/pods', pod);
    await lane('Pod straggler').locator('circle').first().waitFor();
    await page.getByLabel('Warnings only').check();
    await page.getByText('No events.').waitFor();
    await page.getByLabel('Filter events').fill('');
    await lane('Job import').waitFor();
    assert.equal(await page.getByRole('table', { name: 'Events' }).getByText('Normal').count(), 0);
    await page.getByRole('table', { name: 'Events' }).getByRole('link', { name: 'import', exact: true }).click();
    await page.getByRole('heading', { name: 'import', exact: true }).waitFor();
  });
});
