import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { LogLevels } from './log-levels.ts';

test('an entry is shown up to the level for all, which can be changed', () => {
  const levels = new LogLevels({ verbosity: 2, vmodule: '' });
  assert.equal(levels.shows({ file: 'pipeline', level: 2 }), true);
  assert.equal(levels.shows({ file: 'pipeline', level: 3 }), false);
  levels.verbosity = 3;
  assert.equal(levels.shows({ file: 'pipeline', level: 3 }), true);
});

test('--vmodule adds detail for the files that fit; the first pattern counts', () => {
  const levels = new LogLevels({ verbosity: 1, vmodule: 'pipeline=4,work-*=3,work-queue=9,l?stener=0' });
  assert.equal(levels.shows({ file: 'pipeline', level: 4 }), true);
  assert.equal(levels.shows({ file: 'pipeline', level: 5 }), false);
  assert.equal(levels.shows({ file: 'work-queue', level: 3 }), true);
  assert.equal(levels.shows({ file: 'work-queue', level: 9 }), false);
  assert.equal(levels.shows({ file: 'listener', level: 1 }), true, 'it takes nothing away');
  assert.equal(levels.shows({ file: 'compactor', level: 2 }), false);
});

test('every entry for those who look for a fault names the file that it stands in', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  );
  let found = 0;
  for (const path of files) {
    for (const [, file] of readFileSync(join(source, path), 'utf8').matchAll(/\{ file: '([^']*)', level: \d+ \}/g)) {
      assert.equal(file, basename(path, '.ts'), path);
      found++;
    }
  }
  assert.ok(found > 5);
});
