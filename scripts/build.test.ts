import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesNamingSource } from './build.ts';

test('a built file that names TypeScript at run time is found', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'store'));
  writeFileSync(join(folder, 'store/a.js'), "new Worker(new URL('./worker.js', import.meta.url));\n");
  assert.deepEqual(filesNamingSource(folder), []);
  writeFileSync(join(folder, 'store/b.js'), "new Worker(new URL('./worker.ts', import.meta.url));\n");
  assert.deepEqual(filesNamingSource(folder), ['store/b.js']);
});
