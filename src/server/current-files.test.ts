import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { CurrentFiles } from './current-files.ts';

test('files that are replaced are read again after a second, once they match one another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-current-'));
  try {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    writeFileSync(one, 'a');
    writeFileSync(other, 'a');
    const clock = new ManualClock();
    const files = new CurrentFiles([one, other], { clock, isUsable: ([first, second]) => first === second });
    assert.deepEqual(files.current(), ['a', 'a']);
    writeFileSync(one, 'bb');
    clock.advance(1_000);
    assert.deepEqual(files.current(), ['a', 'a'], 'half of a pair');
    writeFileSync(other, 'bb');
    assert.deepEqual(files.current(), ['a', 'a'], 'within a second');
    clock.advance(1_000);
    assert.deepEqual(files.current(), ['bb', 'bb']);
    rmSync(one);
    clock.advance(1_000);
    assert.deepEqual(files.current(), ['bb', 'bb'], 'a file that is missing for a moment');
    assert.throws(() => new CurrentFiles([one], { clock, isUsable: () => true }), /no such file/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
