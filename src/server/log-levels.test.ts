import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { LogLevels } from './log-levels.ts';

test('a log entry is written up to the verbosity, which can be changed', () => {
  const levels = new LogLevels({ verbosity: 2, vmodule: '' });
  assert.equal(levels.shows({ file: 'pipeline', level: 2 }), true);
  assert.equal(levels.shows({ file: 'pipeline', level: 3 }), false);
  levels.verbosity = 3;
  assert.equal(levels.shows({ file: 'pipeline', level: 3 }), true);
});

test('--vmodule sets the verbosity of matching files by its first matching pattern', () => {
  const levels = new LogLevels({ verbosity: 1, vmodule: 'pipeline=4,work-*=3,work-queue=9,l?stener=0' });
  assert.equal(levels.shows({ file: 'pipeline', level: 4 }), true);
  assert.equal(levels.shows({ file: 'pipeline', level: 5 }), false);
  assert.equal(levels.shows({ file: 'work-queue', level: 3 }), true);
  assert.equal(levels.shows({ file: 'work-queue', level: 9 }), false);
  assert.equal(levels.shows({ file: 'listener', level: 1 }), true, 'it takes nothing away');
  assert.equal(levels.shows({ file: 'compactor', level: 2 }), false);
});

test('every debug log entry names its source file', () => {
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
