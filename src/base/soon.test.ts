import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isLater, whenThere } from './soon.ts';

describe('a value or the promise of one', () => {
  const next = (value: number): number => value + 1;

  it('a value or the promise of one is passed on at once if it is there', () => {
    assert.equal(isLater(1), false);
    assert.equal(whenThere(1, next), 2);
  });

  it('a value or the promise of one is passed on when it is resolved', async () => {
    assert.equal(isLater(Promise.resolve(1)), true);
    assert.equal(await whenThere(Promise.resolve(1), next), 2);
  });

  it('a value or the promise of one is an error if it is rejected, unless a handler replaces it', async () => {
    const lost = () => Promise.reject(new Error('lost'));
    await assert.rejects(async () => whenThere(lost(), next), /lost/);
    assert.equal(await whenThere(lost(), next, () => 0), 0);
  });

  it('a value or the promise of one is tested by this helper only', () => {
    const source = join(import.meta.dirname, '..');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== join('base', 'soon.ts'),
    );
    const others = files.filter((file) =>
      /instanceof Promise|\b(?:\w+|void) \| Promise<|\): Promise<.*> \| undefined [{]/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );
    assert.deepEqual(others, []);
  });
});
