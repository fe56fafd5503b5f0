import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../base/seeded-random.ts';
import { fieldBytes, type HeaderField, HeaderTable, staticFields } from './header-table.ts';

function field(name: string, value: string): HeaderField {
  return { name, value, valid: true };
}

test('the static HPACK table is that of RFC 7541', () => {
  assert.equal(staticFields.length, 61);
  assert.deepEqual(staticFields[0], field(':authority', ''));
  assert.deepEqual(staticFields[15], field('accept-encoding', 'gzip, deflate'));
  assert.deepEqual(staticFields[60], field('www-authenticate', ''));
});

test('an HPACK field takes 32 bytes beside its characters', () => {
  assert.equal(fieldBytes(field('ab', 'cde')), 37);
  const table = new HeaderTable(100);
  for (const value of ['1', '2', '3']) table.insert(field('a', value));
  assert.deepEqual([table.oldest, table.inserted], [1, 3], 'two of 34 bytes have room, three have not');
});

test('an HPACK table holds the newest fields that fit, whatever was inserted', () => {
  const random = new SeededRandom(7);
  const table = new HeaderTable(4096);
  const all: HeaderField[] = [];
  for (let round = 0; round < 5_000; round++) {
    if (random.chance(2)) table.resize(random.below(4097));
    const next = field(`name-${random.below(50)}`, 'x'.repeat(random.below(random.chance(3) ? 6_000 : 60)));
    all.push(next);
    table.insert(next);
    let bytes = 0;
    for (let at = table.oldest; at < table.inserted; at++) {
      assert.equal(table.at(at), all[at]);
      bytes += fieldBytes(all[at]!);
    }
    assert.equal(table.inserted, all.length);
    assert.ok(bytes <= table.limitBytes);
    if (table.oldest === table.inserted) assert.ok(fieldBytes(next) > table.limitBytes);
    else if (table.oldest > 0 && table.oldest === all.length - 1) assert.equal(table.at(table.oldest), next);
    assert.equal(table.at(table.oldest - 1), undefined);
    assert.equal(table.at(table.inserted), undefined);
  }
});

test('an HPACK table that is made smaller evicts the oldest fields, and one of size 0 all', () => {
  const table = new HeaderTable(4096);
  for (let index = 0; index < 10; index++) table.insert(field('a', String(index)));
  table.resize(70);
  assert.equal(table.oldest, 8);
  table.resize(0);
  assert.equal(table.oldest, table.inserted);
  table.insert(field('a', 'b'));
  assert.equal(table.oldest, table.inserted);
  table.resize(4096);
  table.insert(field('c', 'd'));
  assert.equal(table.at(table.oldest)?.name, 'c');
});
