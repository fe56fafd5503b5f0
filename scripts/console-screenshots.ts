// Screenshots of the console: every view in both themes and in windows of several widths, taken with a sample cluster, to
// review the whole page and for the documentation.
//
//     node scripts/console-screenshots.ts DIR     all views, both themes, all widths
//     node scripts/console-screenshots.ts         those of docs/console.md, into docs/images

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startTestServer } from '../src/testing.ts';
import { Consoles } from '../test/console/browser.ts';
import { fillCluster, THEMES, VIEWS, type View, WIDTHS } from '../test/console/views.ts';

const ROOT = join(import.meta.dirname, '..');
const [directory] = process.argv.slice(2);
const target = directory ?? join(ROOT, 'docs', 'images');
mkdirSync(target, { recursive: true });
const server = await startTestServer({ listen: true });
const consoles = await Consoles.start();
try {
  await fillCluster(server);
  for (const theme of THEMES) {
    const views = VIEWS.filter(({ documented }) => directory !== undefined || documented === theme);
    for (const view of views) await take(view, theme);
  }
} finally {
  await consoles.close();
  await server.close();
}

async function take({ name, path, prepare }: View, theme: (typeof THEMES)[number]): Promise<void> {
  const { page, origin, close } = await consoles.open({ kubeconfig: server.kubeconfigText, theme });
  try {
    await page.goto(`${origin}${path}`);
    await page.waitForLoadState('networkidle').catch(() => undefined);
    await prepare?.(page);
    await page.waitForTimeout(600);
    if (directory === undefined) return await shoot(page, `console-${name}.png`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await shoot(page, `${name}-${theme}-${width}.png`);
    }
  } finally {
    await close();
  }
}

async function shoot(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: join(target, file) });
  console.log(file);
}
