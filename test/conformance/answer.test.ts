// Tests of the comparison of answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDifferences, comparable } from './answer.ts';
import { Normaliser } from './normalise.ts';
import type { Compared } from './scenario.ts';

const variables = { u: '0a1b2c3d', ns: 'cf-0a1b2c3d' };

function compared(answer: Record<string, unknown>, step: Compared = {}): Record<string, unknown> {
  return comparable(answer, step, { variables, normaliser: new Normaliser(variables) });
}

test('values that a server generates become placeholders, equal values the same one', () => {
  const uid = '8f14e45f-ceea-467f-a0e6-1d3f2c5b7a90';
  const metadata = { namespace: 'cf-0a1b2c3d', uid, resourceVersion: '17', creationTimestamp: '2026-01-02T03:04:05Z' };
  const [first, second] = [{ metadata }, { metadata: { ...metadata, resourceVersion: '18' } }];
  const expected = { creationTimestamp: '<time>', namespace: '<ns>', resourceVersion: '<rv1>', uid: '<uid1>' };
  assert.deepEqual(compared({ items: [first, second, first] }), {
    items: [expected, { ...expected, resourceVersion: '<rv2>' }, expected].map((each) => ({ metadata: each })),
  });
});

test('generated names are replaced within messages, too', () => {
  const answer = { generateName: 'web-', name: 'web-x7k2p', note: 'pods "web-x7k2p" of t-0a1b2c3d' };
  assert.deepEqual(compared(answer), { generateName: 'web-', name: '<name1>', note: 'pods "<name1>" of t-<u>' });
});

test('a step selects places, parts of texts and claims of its answer', () => {
  const claims = Buffer.from('{"sub":"me"}').toString('base64url');
  const body = {
    a: { b: 1, c: 2 },
    list: [
      { n: 'x', v: 1 },
      { n: 'y', v: 2 },
    ],
    text: 'at 12 of 34',
    token: `h.${claims}.s`,
  };
  assert.deepEqual(compared({ body }, { only: ['body.a.b', ['body', 'list', 'n=y', 'v']] }), {
    body: { a: { b: 1 }, list: { 'n=y': { v: 2 } } },
  });
  assert.deepEqual(compared({ body }, { only: ['body.list.*.v'] }), { body: { list: [{ v: 1 }, { v: 2 }] } });
  assert.deepEqual(compared({ list: [1, 2] }, { ignore: ['list.0'] }), { list: [null, 2] });
  const narrow: Compared = { part: { 'body.text': '\\d+$' }, jwt: ['body.token'], only: ['body.text', 'body.token'] };
  assert.deepEqual(compared({ body }, narrow), { body: { text: '34', token: { sub: 'me' } } });
});

test('differences are reported with their path, and the order of lists counts unless the step says otherwise', () => {
  const expect = { status: 200, list: ['a', 'b'] };
  assert.deepEqual(answerDifferences({ status: 200, list: ['a', 'b'] }, { expect }), []);
  assert.deepEqual(answerDifferences({ status: 404, list: ['b', 'a'] }, { expect, unordered: ['list'] }), [
    '.status: 404, expected 200',
  ]);
  assert.equal(answerDifferences({ status: 200, list: ['b', 'a'] }, { expect }).length, 2);
  assert.deepEqual(answerDifferences({ list: ['a', 'b'], more: 1 }, { expect }), [
    '.status: missing, expected 200',
    '.more: unexpected 1',
  ]);
});
