import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldManagerOf } from './field-manager.ts';

for (const [fieldManager, userAgent, expected] of [
  ['me', 'kubectl/v1', 'me'],
  ['', 'kubectl/v1.34.4 (linux/amd64) kubernetes/abcdef0', 'kubectl'],
  ['', 'my controller v2', 'my controller v2'],
  ['', 'tab\there/1', 'tabhere'],
  ['', 'ü'.repeat(100), 'ü'.repeat(64)],
  ['', 'x'.repeat(200), 'x'.repeat(128)],
  ['', '/1.0', 'unknown'],
  ['', '', 'unknown'],
] as const) {
  test(`the field manager is "${expected.slice(0, 50)}" for fieldManager "${fieldManager}" and User-Agent "${userAgent.slice(0, 50)}"`, () => {
    assert.equal(fieldManagerOf({ fieldManager, userAgent }), expected);
  });
}
