import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyJson } from '../../api/json-writer.ts';
import type { JsonObject } from '../../api/object.ts';
import { limits } from '../../base/limits.ts';
import { longJsonBytes } from './openapi-json.ts';

const documents: readonly (readonly [name: string, document: JsonObject])[] = [
  ['nothing', {}],
  ['members of all kinds', { a: 1, b: null, c: [1, { d: {} }], e: {}, f: { g: { h: { i: 'ä"' } }, 'x-1': false } }],
  ['numbers beyond 2^53', { a: { b: { c: 9007199254740993n } } }],
  ['one member that is more than a piece', { a: { b: 'ü'.repeat(limits.responsePieceBytes) }, c: 1 }],
];

for (const [name, document] of documents) {
  test(`an OpenAPI document is encoded as by stringifyJson: ${name}`, async () => {
    let asked = 0;
    const turn = { over: () => (++asked % 2 === 0 ? Promise.resolve() : undefined) };
    assert.equal((await longJsonBytes(document, turn)).toString(), stringifyJson(document));
    assert.ok(asked > 0);
  });
}
