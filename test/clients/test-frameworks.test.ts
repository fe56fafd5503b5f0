// The fixtures of docs/testing.md with real test frameworks, and test servers in other runtimes. Their packages come from
// npm's cache or the registry, into a folder of their own.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, type TestContext, test } from 'node:test';
import { installPackage } from '../install-package.ts';
import { run } from './commands.ts';

const timeout = 600_000;
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
const blocks = [...page.matchAll(/^```(?:ts|js)\n(.*?)^```/gms)].map(([, text = '']) => text);

const LISTENING = `import { spawn } from 'node:child_process';
import { startTestServer } from 'keelson/testing';
const server = await startTestServer({ listen: true });
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const response = await fetch(server.url + '/version', { headers: { authorization: 'Bearer ' + server.token } });
console.log(response.status, (await response.json()).major);
await server.rewind(server.snapshot());
await server.close();
`;

suite('Keelson in test frameworks', { timeout }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-frameworks-'));
  const user = join(folder, 'user');
  let missing: string | undefined;
  before(
    async () => {
      mkdirSync(user);
      writeFileSync(join(user, 'package.json'), '{ "private": true }');
      const packages = ['vitest@5', 'jest@30', 'bun@1', 'deno@2'];
      const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
      try {
        await run('npm', ['install', ...flags, ...packages], { cwd: user, yielding: true });
      } catch (error) {
        missing = `the packages cannot be had: ${(error as Error).message.split('\n')[1]}`;
        return;
      }
      installPackage(join(folder, 'checkout'), user);
    },
    { timeout },
  );
  after(() => rmSync(folder, { recursive: true, force: true }));

  const tool = (name: string): string => join(user, 'node_modules/.bin', name);

  async function tries(context: TestContext, name: string, file: string, text: string, ...argv: string[]) {
    if (missing !== undefined || !existsSync(tool(name))) return context.skip(missing ?? `${name} is not installed`);
    writeFileSync(join(user, file), text);
    const running = await run(tool(name), argv, {
      cwd: user,
      env: { CI: 'true', NO_COLOR: '1' },
      signal: context.signal,
    });
    context.diagnostic(running.trim());
    return running;
  }

  const block = (part: string): string => {
    const found = blocks.find((text) => text.includes(part));
    assert.ok(found, part);
    return found;
  };

  test('Keelson in test frameworks passes the example of Vitest', { timeout }, async (context) => {
    const said = await tries(context, 'vitest', 'shop.test.ts', block("from 'vitest'"), 'run', 'shop.test.ts');
    if (said !== undefined) assert.match(said, /1 passed/);
  });

  test('Keelson in test frameworks fails a test of Vitest with an unused fault', { timeout }, async (context) => {
    const text = `import { test as base } from 'vitest';
      import { kubernetesFixtures } from 'keelson/vitest';
      base.extend(kubernetesFixtures()).fails('unmet', async ({ kubernetes }) => {
        kubernetes.faults.add({ verb: 'update', answer: 409 });
      });`;
    const said = await tries(context, 'vitest', 'faults.test.ts', text, 'run', 'faults.test.ts');
    if (said !== undefined) assert.match(said, /1 expected fail/);
  });

  test('Keelson in test frameworks passes the example of Jest', { timeout }, async (context) => {
    const argv = ['--rootDir', user, 'conflict'];
    await tries(context, 'jest', 'conflict.test.js', block('@jest-environment'), ...argv);
  });

  test('Keelson in test frameworks has objects and errors of the sandbox of Jest, and reports another environment', {
    timeout,
  }, async (context) => {
    const text = `/** @jest-environment keelson/jest-environment */
      const { kubernetesTest } = require('keelson/jest');
      const test = kubernetesTest();
      test('of the sandbox', async ({ kubernetes }) => {
        expect(await kubernetes.request('list', 'Pod')).toStrictEqual({
          apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: expect.any(String) }, items: [] });
        const error = await kubernetes.request('get', 'Pod', { name: 'x' }).catch((refused) => refused);
        expect(error).toBeInstanceOf(Error);
      });
      test.failing('unmet', async ({ kubernetes }) => void kubernetes.faults.add({ verb: 'update', answer: 409 }));`;
    await tries(context, 'jest', 'sandbox.test.js', text, '--rootDir', user, 'sandbox');
    const other = `globalThis.test('other', () => {
      expect(() => require('keelson/jest').kubernetesTest()).toThrow(/needs its environment/);
    });`;
    await tries(context, 'jest', 'other.test.js', other, '--rootDir', user, 'other');
  });

  test('Keelson in test frameworks runs a test server in Bun and in Deno', { timeout }, async (context) => {
    for (const [name, ...argv] of [
      ['bun', 'run', 'listening.mjs'],
      ['deno', 'run', '--allow-all', '--unsafely-ignore-certificate-errors', 'listening.mjs'],
    ] as const) {
      const said = await tries(context, name, 'listening.mjs', LISTENING, ...argv);
      if (said !== undefined) assert.match(said, /200 1\n/);
    }
  });
});
