// Rows for the console's page: from opening a URL to the content the user came for, with an empty browser cache.

import { startTestServer } from '../src/testing.ts';
import { Consoles, skip } from '../test/console/browser.ts';
import { fillShop } from '../test/console/sample.ts';
import type { Bench } from './bench.ts';
import { median } from './latencies.ts';

const VIEWS = {
  'console: first list': { path: '/r/core/v1/pods?ns=shop', shown: '.body [role=row]' },
  'console: overview': { path: '/', shown: '.cards.kinds > *' },
  'console: first object': { path: '/r/apps/v1/deployments/shop/web', shown: '.badge' },
  'console: first object as YAML': { path: '/r/apps/v1/deployments/shop/web?tab=yaml', shown: '.cm-line' },
};

/** @throws Error if there is no browser */
export async function consoleRows(bench: Bench): Promise<void> {
  if (skip !== false) throw new Error(skip);
  await using server = await startTestServer({ listen: true });
  await fillShop((method, path, body) => server.request(method, path, body));
  const consoles = await Consoles.start();
  try {
    for (const [row, view] of Object.entries(VIEWS)) {
      const times: number[] = [];
      for (let round = 0; round < (bench.quick ? 3 : 9); round++) {
        times.push(await firstViewMs(consoles, server.kubeconfigText, view));
      }
      bench.row(row, { ms: median(times) });
    }
  } finally {
    await consoles.close();
  }
}

async function firstViewMs(
  consoles: Consoles,
  kubeconfig: string,
  { path, shown }: { readonly path: string; readonly shown: string },
): Promise<number> {
  const { page, origin, close } = await consoles.open({ kubeconfig });
  try {
    const startMs = performance.now();
    await page.goto(`${origin}${path}`, { waitUntil: 'commit' });
    await page.locator(shown).first().waitFor();
    return performance.now() - startMs;
  } finally {
    await close();
  }
}
