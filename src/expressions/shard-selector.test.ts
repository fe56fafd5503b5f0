import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hash64 } from './hash64.ts';
import { parseShardSelector } from './shard-selector.ts';

const HALF = '0x8000000000000000';
const FIRST = `shardRange(object.metadata.uid, '0x0000000000000000', '${HALF}')`;
const SECOND = `shardRange(object.metadata.uid, '${HALF}', '0x10000000000000000')`;

test('the FNV-1a hash of a text has 64 bits', () => {
  const hashes: Readonly<Record<string, bigint>> = {
    '': 0xcbf29ce484222325n,
    a: 0xaf63dc4c8601ec8cn,
    foobar: 0x85944171f73967e8n,
  };
  for (const [text, expected] of Object.entries(hashes)) {
    const { high, low } = hash64(text);
    assert.equal((BigInt(high) << 32n) | BigInt(low), expected, text);
  }
});

test('every object is in exactly one of the shards that cover the whole range', () => {
  const shards = [FIRST, SECOND].map(parseShardSelector);
  const uids = Array.from({ length: 100 }, () => crypto.randomUUID());
  assert.ok(uids.every((uid) => shards.filter((shard) => shard.matches(uid)).length === 1));
  assert.ok(uids.every((uid) => parseShardSelector(`${FIRST} || ${SECOND}`).matches(uid)));
});

test('a shard selector is formatted in its canonical form', () => {
  const written = ` ${FIRST}||(${SECOND}) `;
  assert.equal(parseShardSelector(written).text, `${FIRST} || ${SECOND}`);
});

test('an invalid shard selector is rejected with the message of kube-apiserver', () => {
  const range = (...given: string[]) => `shardRange(object.metadata.uid, ${given.join(', ')})`;
  const messages: Readonly<Record<string, string>> = {
    ' ': 'empty shard selector is not allowed; omit the parameter for unfiltered lists',
    x: 'unexpected expression kind 3; expected shardRange() call or || operator',
    '-1': 'unexpected expression kind 5; expected shardRange() call or || operator',
    'foo() || bar()': 'unsupported function "foo"; only shardRange() and || are allowed',
    [`${FIRST} && ${FIRST}`]: 'unsupported function "_&&_"; only shardRange() and || are allowed',
    'shardRange(a)': 'shardRange() requires exactly 3 arguments, got 1',
    "shardRange(a.b, '', '')":
      'unsupported field path "a.b"; supported: object.metadata.uid, object.metadata.namespace',
    'shardRange(1, 2, 3)':
      'shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5',
    [range('x', 'y')]: "hexStart must be a string literal (e.g. '0xff'), got expression kind 3",
    [range('2', '3')]: 'hexStart must be a string literal, got int64',
    [range("b'0'", '3')]: 'hexStart must be a string literal, got []uint8',
    [range("'12'", '3')]: 'hexStart must have \'0x\' prefix, got "12"',
    [range("'0x'", '3')]: "hexStart: hex value is required after '0x'",
    [range("'0xFF'", '3')]: 'hexStart: invalid hex character "F" in "0xFF"',
    [range("'0x1'", '3')]:
      'hexStart must be a 0x-prefixed 16-digit hex value, got "0x1" (did you mean "0x0000000000000001"?)',
    [range(`'${HALF}'`, "'0x20000000000000000'")]:
      'hexEnd: 17-digit hex value must be \'0x10000000000000000\' (2^64), got "0x20000000000000000"',
    [range(`'${HALF}'`, "'0x200000000000000001'")]:
      'hexEnd: hex value too long (18 chars, max 17): "200000000000000001"',
    [range(`'${HALF}'`, `'${HALF}'`)]: `shard range start ${HALF} must be less than end ${HALF}`,
    [`${FIRST} || ${FIRST.replace('uid', 'namespace')}`]:
      'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
  };
  for (const [written, message] of Object.entries(messages)) {
    assert.throws(() => parseShardSelector(written), { message }, written);
  }
});

test('the length of a shard selector is limited', () => {
  const longest = Array.from({ length: 50 }, () => FIRST).join('||');
  assert.equal(parseShardSelector(longest).size, 50);
  const message = 'it has 7698 characters, and may have 4096';
  assert.throws(() => parseShardSelector(`${longest}||${longest}`), { message });
});
