import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { houseTable, missingFiles } from './docs.ts';

const root = join(import.meta.dirname, '..');

test('every file that the documents name exists', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  for (const document of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages]) {
    assert.deepEqual(missingFiles(root, document), [], document);
  }
});

test('the house that docs/architecture.md draws is that of layers.json', () => {
  const { folders } = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as { folders: object };
  assert.deepEqual(houseTable(readFileSync(join(root, 'docs/architecture.md'), 'utf8')), folders);
});

test('every decision is in the index', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  for (const file of readdirSync(join(root, 'docs/decisions'))) {
    if (file !== 'README.md') assert.ok(index.includes(`(${file})`), file);
  }
});

test('a file that is not there is found, in backquotes and in links', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const text = 'See `src/a.ts`, `here.json`, [b](b.md#part), [web](https://example.com/c.md), `npm test`, [a](a.md).';
  writeFileSync(join(folder, 'a.md'), text);
  assert.deepEqual(missingFiles(folder, 'a.md'), ['src/a.ts', 'here.json', 'b.md']);
});
