import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesNamingSource, reachable } from './build.ts';

test('a built file that names TypeScript at run time is found', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'store'));
  writeFileSync(join(folder, 'store/a.js'), "new Worker(new URL('./worker.js', import.meta.url));\n");
  assert.deepEqual(filesNamingSource(folder), []);
  writeFileSync(join(folder, 'store/b.js'), "new Worker(new URL('./worker.ts', import.meta.url));\n");
  assert.deepEqual(filesNamingSource(folder), ['store/b.js']);
});

test('the declarations that are published are those which the entry points can reach', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'server'));
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  write('index.d.ts', "export { type Server } from './server/server.ts';\nimport type { Socket } from 'node:net';\n");
  write('server/server.d.ts', "import { A } from '../a.ts';\nexport type Server = A | import('./b.ts').B;\n");
  write('server/b.d.ts', "import type { Server } from './server.ts';\nexport type B = Server;\n");
  write('server/own.d.ts', "export type Own = import('./server.ts').Server;\n");
  write('a.d.ts', 'export type A = 1;\n');
  const published = ['a.d.ts', 'index.d.ts', 'server/b.d.ts', 'server/server.d.ts'];
  assert.deepEqual(reachable(folder, ['index.d.ts']).sort(), published);
});
