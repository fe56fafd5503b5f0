// Logs of pods and commands in them, in a browser, over a cluster with simulated nodes: of all containers, followed,
// searched, and of the instance before.

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { Consoles, skip } from './browser.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('logs and terminals of the console', { skip }, () => {
  let server: TestServer;
  let consoles: Consoles;
  before(async () => {
    server = await startTestServer({ listen: true, nodes: 1 });
    for (const [name, containers] of [
      [
        'pair',
        [
          { name: 'web', image: 'web:1' },
          { name: 'proxy', image: 'proxy:1' },
        ],
      ],
      ['failing', [{ name: 'main', image: 'main:1' }]],
    ] as const) {
      const { status } = await server.request('POST', PODS, { metadata: { name }, spec: { containers } });
      assert.equal(status, 201);
    }
    await server.cluster.settled();
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

  test('logs and terminals of the console show the lines of all containers of a pod, and can be searched', async (t) => {
    const page = await at(t, '/r/core/v1/pods/default/pair');
    await page.getByRole('tab', { name: 'Logs' }).click();
    const log = page.getByRole('log');
    await log.getByText('web', { exact: true }).first().waitFor();
    await log.getByText('proxy', { exact: true }).first().waitFor();
    await page.getByLabel('Search in the log').fill('PROXY');
    await log.locator('mark').first().waitFor();
    await page.getByLabel('Lines').getByText('1 of 2').waitFor();
    await page.getByLabel('Container').selectOption('web');
    await page.getByLabel('Lines').getByText('0 of 1').waitFor();
  });

  test('logs and terminals of the console follow a container that restarts, and show its previous instance', async (t) => {
    const page = await at(t, '/r/core/v1/pods/default/failing?tab=logs');
    const lines = page.getByRole('log').getByText(/simulated container main .* started/);
    await lines.first().waitFor();
    await page.getByLabel('Times').check();
    server.cluster.pods.fail('default', 'failing', { exitCode: 137, reason: 'OOMKilled' });
    await lines.nth(1).waitFor();
    await page.getByLabel('Previous').check();
    await lines.nth(1).waitFor({ state: 'detached' });
    await lines.first().waitFor();
    assert.equal(await page.getByLabel('Follow').isDisabled(), true);
    assert.equal(new URL(page.url()).searchParams.get('previous'), '1');
  });

  test('logs and terminals of the console tell why a container has no log yet', async (t) => {
    const page = await at(t, '/r/core/v1/pods/default/pair?tab=logs&previous=1');
    await page.getByText('previous terminated container "web" in pod "pair" not found').waitFor();
  });

  test('logs and terminals of the console run a command in a container, print its output and its exit status', async (t) => {
    const page = await at(t, '/r/core/v1/pods/default/pair');
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await page.getByLabel('Container').selectOption('proxy');
    await page.getByLabel('Command').fill('echo "hello there"');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.xterm-rows').getByText('hello there').waitFor();
    await page.getByText('It ended: exit code 0').waitFor();
    await page.getByLabel('Command').fill('exit 3');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('It ended: exit code 3').waitFor();
  });

  test('logs and terminals of the console run no command in a read-only console', async (t) => {
    const page = await at(t, '/r/core/v1/pods/default/pair?tab=terminal', true);
    await page.getByText('This console is read-only.').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Run' }).isDisabled(), true);
  });
});
