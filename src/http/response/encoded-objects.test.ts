import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { inOneStep } from '../../base/steps.ts';
import { FormBudget, KeptForms } from '../../watchcache/kept-forms.ts';
import { EncodedObjects } from './encoded-objects.ts';
import type { ObjectEncoder } from './object-bytes.ts';

test('an object is encoded once in each media type, for all lists', () => {
  const forms = new KeptForms(new FormBudget(new ManualClock()), () => true);
  const encoder = {} as ObjectEncoder;
  const encoded: string[] = [];
  const list = (name: string) => {
    const encoding = () => {
      encoded.push(name);
      return inOneStep(Buffer.from(name));
    };
    return new EncodedObjects({ encoder, forms, name, encoding });
  };
  const object = { bytes: Buffer.from('{}'), revision: 1 };
  for (const name of ['CBOR', 'message', 'CBOR', 'message']) {
    assert.equal(Buffer.from(list(name).of(object)).toString(), name);
  }
  assert.deepEqual(encoded, ['CBOR', 'message']);
});
