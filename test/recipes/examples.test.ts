// The JavaScript examples of the pages that new users read, each run as it stands there. An example that goes on with
// the server of another one gets a fresh one.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { run } from '../clients/commands.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'keelson-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const SERVER = `import { startTestServer } from 'keelson/testing';\nawait using server = await startTestServer();\n`;

/** The entry points of the package, as the source has them. */
const ENTRIES = {
  keelson: 'src/index.ts',
  'keelson/testing': 'src/testing.ts',
  'keelson/cel': 'src/cel.ts',
  'keelson/node-test': 'src/node-test.ts',
};

function runnable(example: string): string {
  const whole = example.includes('import ') ? example : SERVER + example;
  return whole.replace(/from '(keelson[^']*)'/g, (_, name: keyof typeof ENTRIES) => {
    return `from '${pathToFileURL(join(root, ENTRIES[name])).href}'`;
  });
}

for (const page of ['README.md', 'docs/testing.md']) {
  const examples = readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms);
  for (const [at, [, example = '']] of [...examples].entries()) {
    // Run by test/clients/test-frameworks.test.ts, with Vitest.
    if (example.includes("from 'vitest'")) continue;
    test(`example ${at + 1} of ${page} runs`, async () => {
      const file = join(folder, `${page.replaceAll('/', '-')}-${at}.ts`);
      writeFileSync(file, runnable(example));
      await run(process.execPath, [file], { cwd: folder });
    });
  }
}
