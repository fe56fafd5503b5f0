// The size of the console's page: what a browser loads for the first view, and all of it.

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { readAssets } from '../../src/console/assets.ts';

/** Parts that are loaded when somebody looks at a log or opens a terminal. */
const OPTIONAL = /^(logs-tab|terminal)/;

test('the console page is under 500 KB gzipped without logs and terminals, and its first view under 60 KB', (t) => {
  const assets = new Map([...readAssets()].filter(([name]) => !OPTIONAL.test(name)));
  const size = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + assets.get(name)!.gzipped.length, 0);
  const first = new Set(['index.html', 'page.css', 'page.js']);
  // Imports of what is imported are added while they are walked.
  for (const name of first) {
    const text = Buffer.from(assets.get(name)!.bytes).toString();
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)) first.add(imported);
  }
  t.diagnostic(`first view ${size(first)} bytes, all ${size(assets.keys())} bytes, gzipped`);
  assert.ok(first.size > 3, 'parts are shared');
  assert.ok(size(first) < 60_000);
  assert.ok(size(assets.keys()) < 500_000);
});
