import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { objectIn } from './typed-answer.ts';

const answer = (body: string, more = {}) => ({ status: 200, contentType: 'application/json', body, ...more });

test('a webhook response is an object in JSON or in YAML, whatever its Content-Type', async () => {
  assert.deepEqual(await objectIn(answer('{"kind": "A"}', { contentType: 'text/html' })), { kind: 'A' });
  assert.deepEqual(await objectIn(answer('kind: A\n')), { kind: 'A' });
});

test('a long webhook response is parsed in slices, with other work in between', async () => {
  const value = { items: Array.from({ length: 20_000 }, (_, index) => ({ name: `item-${index}` })) };
  let rounds = 0;
  let isRead = false;
  const count = () => {
    rounds++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  assert.deepEqual(await objectIn(answer(JSON.stringify(value))), value);
  isRead = true;
  assert.ok(rounds > 4, `${rounds} rounds`);
});

test('a webhook response with too many fields is rejected', async () => {
  const wide = Object.fromEntries(Array.from({ length: limits.objectMembers + 1 }, (_, index) => [`f${index}`, 0]));
  await assert.rejects(objectIn(answer(JSON.stringify(wide))), { name: 'AnswerError', message: /more than 65536/ });
});

const NO_OBJECT = (found: string) =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { ` +
  'APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const refused: [what: string, given: Parameters<typeof objectIn>[0], why: string][] = [
  ['nothing', answer(''), '0-length response with status code: 200 and content type: application/json'],
  [
    'nothing without a Content-Type',
    answer('', { status: 204, contentType: '' }),
    '0-length response with status code: 204 and content type: application/json',
  ],
  ['a page', answer('<p>'), NO_OBJECT('string')],
  ['a list', answer('[1]'), NO_OBJECT('array')],
  ['half an object', answer('{"a"'), "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  [
    'a failure that is a text',
    answer('boom', { status: 500, contentType: 'text/plain' }),
    'an error on the server ("boom") has prevented the request from succeeding',
  ],
  [
    'a failure that is not',
    answer('boom', { status: 500 }),
    'an error on the server ("unknown") has prevented the request from succeeding',
  ],
];
for (const [what, given, why] of refused) {
  test(`${what} is reported in the words of client-go`, async () => {
    await assert.rejects(objectIn(given), { name: 'AnswerError', message: why });
  });
}
