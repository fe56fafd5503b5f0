import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checks, runAll } from './check.ts';

const root = join(import.meta.dirname, '..');

test('all checks run, each is reported, and one that fails fails the whole and is quoted', async () => {
  const printed: string[] = [];
  const print = (text: string): void => {
    printed.push(text.replace(/\d+\.\d s/, '? s'));
  };
  const good = { name: 'good', argv: ['-e', 'console.log("nothing to say")'] };
  const bad = { name: 'bad', argv: ['-e', 'console.error("a.ts:1: wrong"); process.exit(3)'] };
  assert.equal(await runAll([good], root, print), true);
  assert.deepEqual(printed, ['ok     good (? s)\n']);
  printed.length = 0;
  assert.equal(await runAll([bad, good], root, print), false);
  assert.deepEqual(printed.sort(), ['FAILED bad (? s)\na.ts:1: wrong\n', 'ok     good (? s)\n']);
});

test('what the checks run is there', () => {
  for (const { name, argv } of checks) assert.ok(existsSync(join(root, argv[0]!)), name);
});

test('the pure folders of the type checks are those of layers.json; the page, which knows the browser, has its own', () => {
  const { pure } = JSON.parse(readFileSync(join(root, 'layers.json'), 'utf8')) as { pure: string[] };
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.pure.json'), 'utf8')) as { include: string[] };
  const folders = include.flatMap((pattern) => /^src\/(\w+)\/\*\*\/\*\.ts$/.exec(pattern)?.[1] ?? []);
  assert.deepEqual([...folders, 'page'].sort(), [...pure].sort());
});
