// A browser with a console, for tests: the page as users see it, in its own browser context. Anything the page reports
// (an error, a CSP violation) fails the test.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { type ConsoleServer, startConsole } from '../../src/console/console-server.ts';
import { readContexts } from '../../src/console/contexts.ts';
import { systemClock } from '../../src/server/system-clock.ts';

const PROGRAM = '/usr/bin/chromium';

/** The skip message if the browser is missing; otherwise false. */
export const skip: string | false = existsSync(PROGRAM) ? false : 'chromium is not installed here';

/** How long the page may take on a busy machine. */
const PATIENCE_MS = 60_000;

/** The page shows errors of the cluster; the browser logs them too. */
const REFUSED = /^Failed to load resource: the server responded with a status of \d+/;

export interface OpenOptions {
  /** The kubeconfig's text. */
  readonly kubeconfig: string;
  readonly readOnly?: boolean;
  readonly theme?: 'dark' | 'light';
  /** Run in the page before its own scripts. */
  readonly script?: string;
}

export interface OpenedConsole {
  readonly page: Page;
  readonly console: ConsoleServer;
  readonly origin: string;
  /** Errors reported by the page. */
  readonly faults: readonly string[];
}

export class Consoles {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<Consoles> {
    return new Consoles(await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] }));
  }

  /** Starts a console and opens its page by the link. The caller's `close` closes both. */
  async open({ kubeconfig, readOnly = false, theme = 'light', script }: OpenOptions) {
    const contexts = await readContexts(['/kubeconfig'], () => kubeconfig);
    const console = await startConsole({ contexts, context: contexts.current, readOnly, port: 0, clock: systemClock });
    const viewport = { width: 1360, height: 800 };
    const context = await this.#browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' });
    if (script !== undefined) await context.addInitScript({ content: script });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSED.test(message.text())) faults.push(message.text());
    });
    const { origin } = new URL(console.link);
    await page.goto(console.link);
    await page.waitForURL(`${origin}/**`);
    await page.locator('nav section a').first().waitFor();
    const close = async (): Promise<void> => {
      await context.close();
      await console.close();
    };
    return { page, console, origin, faults, close };
  }

  /** As `open`, for one test: closes with it, and fails it for errors reported by the page. */
  async forTest(t: TestContext, options: OpenOptions): Promise<OpenedConsole> {
    const opened = await this.open(options);
    t.after(async () => {
      await opened.close();
      assert.deepEqual(opened.faults, []);
    });
    return opened;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** Replaces an editor's contents by pasting. Text that Chromium types over a selection would bring styles along. */
export async function paste(editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('Control+a');
  await editor.evaluate((element, pasted) => {
    // Globals of the page, which are not in the types of tests.
    const world = globalThis as unknown as {
      readonly DataTransfer: new () => { setData(type: string, data: string): void };
      readonly ClipboardEvent: new (type: string, init: object) => Event;
    };
    const clipboardData = new world.DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new world.ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
