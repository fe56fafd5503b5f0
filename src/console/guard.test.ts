import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guard } from './guard.ts';

const host = '127.0.0.1:8000';

/** The status of the refusal of a request with these headers; undefined where it is let through. */
function refused(headers: Record<string, string>, method = 'GET'): number | undefined {
  return new Guard(8000).foreign({ method, headers: { host, ...headers } })?.status;
}

test('the link of the console opens it once', () => {
  const guard = new Guard(8000);
  const key = new URL(guard.link).searchParams.get('key')!;
  assert.equal(guard.open('wrong'), undefined);
  const cookie = guard.open(key)!;
  assert.match(cookie, /^keelson-console-8000=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.equal(guard.open(key), undefined);
  assert.equal(guard.stranger({ cookie: `other=1; ${cookie.split(';')[0]}` }), undefined);
  assert.equal(guard.stranger({ cookie: 'keelson-console-8000=guess' })?.status, 401);
  assert.equal(guard.stranger({})?.status, 401);
});

test('console requests for another host name are refused, as DNS may point it to this machine', () => {
  assert.equal(refused({ host: 'evil.example:8000' }), 421);
  assert.equal(refused({ host: '127.0.0.1:9000' }), 421);
  assert.equal(refused({ host: 'localhost:8000' }), undefined);
});

test('console requests from other origins are refused', () => {
  assert.equal(refused({ origin: 'http://evil.example' }), 403);
  assert.equal(refused({ origin: 'null' }), 403);
  assert.equal(refused({ origin: 'http://127.0.0.1:9000' }), 403);
  assert.equal(refused({ 'sec-fetch-site': 'same-site' }), 403);
  assert.equal(refused({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }), 403);
  assert.equal(refused({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'POST'), 403);
  assert.equal(refused({}, 'POST'), 403);
});

test('console requests of its own page, and links that a user follows, are accepted', () => {
  assert.equal(refused({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, 'POST'), undefined);
  assert.equal(refused({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), undefined);
  assert.equal(refused({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }), undefined);
});
