import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { ApiError } from './errors.ts';

function token(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('a continue token is decoded to what was encoded', () => {
  for (const start of ['/a\0', '/default/web\0', '/grün/你好🚀?>\0']) {
    for (const revision of [5, -1, 2 ** 52]) {
      const text = encodeContinueToken({ revision, start });
      assert.match(text, /^[-_A-Za-z0-9]+$/);
      assert.deepEqual(decodeContinueToken(text), { revision, start });
    }
  }
});

test('continue tokens have the form of those of Kubernetes', () => {
  assert.equal(
    encodeContinueToken({ revision: 1, start: '/b\0' }),
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIvYlx1MDAwMCJ9',
  );
});

test('the start key of a continue token without a slash gets one', () => {
  assert.deepEqual(decodeContinueToken(token({ v: 'meta.k8s.io/v1', rv: 7, start: 'a\0' })), {
    revision: 7,
    start: '/a\0',
  });
});

const REFUSALS: [string, string][] = [
  ['!!', 'illegal base64 data at input byte 0'],
  ['YWJj=', 'illegal base64 data at input byte 4'],
  ['abcde', 'illegal base64 data at input byte 4'],
  ['abc', "invalid character 'i' looking for beginning of value"],
  [token([1]), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [
    token({ v: 'meta.k8s.io/v1', rv: 'x', start: '/a' }),
    'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
  ],
  [
    token({ v: 'meta.k8s.io/v1', rv: 1.5, start: '/a' }),
    'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
  ],
  [
    token({ v: 'meta.k8s.io/v1', rv: 1, start: 2 }),
    'json: cannot unmarshal number into Go struct field continueToken.start of type string',
  ],
  [token({}), 'server does not recognize this encoded version '],
  [
    token({ v: 'meta.k8s.io/v9', rv: 1, start: '/a\0' }),
    'server does not recognize this encoded version meta.k8s.io/v9',
  ],
  [token({ v: 'meta.k8s.io/v1', rv: 5 }), 'encoded start key empty (version meta.k8s.io/v1)'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
  [
    token({ v: 'meta.k8s.io/v1', rv: 0, start: '/a\0' }),
    'incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
  ],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '/../other/a\0' }), '/../other/a\0'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '../other/a' }), '../other/a'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '/a//b' }), '/a//b'],
  [token({ v: 'meta.k8s.io/v1', rv: 5, start: '/a/' }), '/a/'],
];

for (const [text, why] of REFUSALS) {
  test(`a continue token is rejected: ${why}`, () => {
    assert.throws(
      () => decodeContinueToken(text),
      (error) =>
        error instanceof ApiError &&
        error.code === 400 &&
        error.message === `invalid continue token: continue key is not valid: ${why}`,
    );
  });
}

test('a continue token as long as a request may be is encoded and decoded fast', () => {
  const long = { revision: 5, start: '/a'.repeat(330_000) };
  const started = process.threadCpuUsage();
  const again = decodeContinueToken(encodeContinueToken(long));
  const { user, system } = process.threadCpuUsage(started);
  assert.deepEqual(again, long);
  // A loop takes ten times as long.
  assert.ok(user + system < 60_000, `${user + system} microseconds`);
});
