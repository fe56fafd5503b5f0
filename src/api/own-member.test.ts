import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './json-reader.ts';
import type { JsonObject } from './object.ts';
import { ownMember } from './own-member.ts';

const INHERITED = Object.getOwnPropertyNames(Object.prototype);

test('a name that JavaScript objects inherit is absent from an object without such a member', () => {
  for (const name of INHERITED) {
    assert.equal(ownMember({}, name), undefined, name);
    assert.equal(ownMember(Object.create(null), name), undefined, name);
  }
  assert.equal(ownMember(undefined, 'a'), undefined);
});

test('a member with the name of an inherited one is read from an object that has it', () => {
  for (const name of INHERITED) {
    const object = parseJson(Buffer.from(`{${JSON.stringify(name)}:"own"}`)) as JsonObject;
    assert.equal(ownMember(object, name), 'own', name);
  }
});
