// Patches: an input is a document and a patch of one of the three kinds. A patch leaves its arguments as they are, has
// the same result in steps as at once, and fails only with answers to the client.

import assert from 'node:assert/strict';
import { ApiError } from '../../../src/api/errors.ts';
import { isObject } from '../../../src/api/is-object.ts';
import { equalJson } from '../../../src/api/json-equal.ts';
import { stringifyJson } from '../../../src/api/json-writer.ts';
import type { Json, JsonObject } from '../../../src/api/object.ts';
import { atOnce, type Steps } from '../../../src/base/steps.ts';
import {
  applyingJsonPatch,
  applyJsonPatch,
  enterByJsonPatch,
  jsonPatchStrictErrors,
  parseJsonPatch,
} from '../../../src/patch/json-patch.ts';
import { applyingMergePatch, parseMergePatch } from '../../../src/patch/merge-patch.ts';
import { applyStrategicMergePatch, parseStrategicMergePatch } from '../../../src/patch/strategic-merge.ts';
import { builtinType } from '../../../src/resources/builtin/types.ts';
import { DecodeError, decodeObject } from '../../../src/schema/decode.ts';
import { type Format, outcomeOf } from './format.ts';
import { documentIn, mutateDocument } from './mutations.ts';

/** The type of documents with strategic merge patches. */
const DEPLOYMENT = builtinType('apps', 'v1', 'Deployment');

const words = [
  '"op":"add",',
  '"op":"remove",',
  '"op":"move",',
  '"op":"test",',
  '"path":"/a/0",',
  '"path":"/-",',
  '"path":"/~01~2",',
  '"path":"",',
  '"from":"/a",',
  '"$patch":"delete",',
  '"$patch":"replace",',
  '"$retainKeys":["a"],',
  '"$setElementOrder/containers":[{"name":"a"}],',
  '"$deleteFromPrimitiveList/finalizers":["a"],',
  '"__proto__":{},',
  '"name":"a",',
  'null',
  '9223372036854775807',
  '[',
  ']',
  '{',
  '}',
];

export const patches: Format = {
  name: 'patches',
  words,
  mutate: (input, other, random) => mutateDocument(input, other, { random, words }),
  judge(input) {
    const given = documentIn(input);
    if (!isObject(given) || !isObject(given['document'])) return;
    const { document } = given;
    for (const [kind, judge] of Object.entries(judges)) {
      const patch: Json | undefined = Object.hasOwn(given, kind) ? given[kind] : undefined;
      if (patch === undefined) continue;
      const before = stringifyJson([document, patch]);
      judge(document as JsonObject, patch);
      assert.equal(stringifyJson([document, patch]), before, 'the document and the patch are as before');
    }
  },
};

const judges: Readonly<Record<string, (document: JsonObject, patch: Json) => void>> = {
  json: judgeJsonPatch,
  merge: judgeMergePatch,
  strategic: judgeStrategicPatch,
};

function judgeJsonPatch(document: JsonObject, patch: Json): void {
  const text = stringifyJson(patch);
  jsonPatchStrictErrors(patch, { text });
  outcomeOf(() => parseJsonPatch(patch, { isChecked: false }), ApiError);
  const { value: parsed } = outcomeOf(() => parseJsonPatch(patch, { text }), ApiError);
  if (parsed === undefined) return;
  const outcome = outcomeOf(() => applyJsonPatch(document, parsed), ApiError);
  const steps = outcomeOf(() => counted(applyingJsonPatch(document, parsed), parsed.length + 1), ApiError);
  assert.equal(steps.fault, outcome.fault, 'the same fault in steps as at once');
  if (outcome.value === undefined) return;
  assert.equal(stringifyJson(steps.value), stringifyJson(outcome.value), 'the same result in steps as at once');
  // What is patched entry by entry is not written before it is decoded, which sorts members elsewhere.
  const { root } = enterByJsonPatch(document, parsed);
  assert.ok(equalJson(root, outcome.value), 'the same result entry by entry as at once');
}

function judgeMergePatch(document: JsonObject, patch: Json): void {
  const { value: parsed } = outcomeOf(() => parseMergePatch(patch, { isChecked: true }), ApiError);
  if (!isObject(parsed)) return;
  const result = atOnce(applyingMergePatch(document, parsed));
  assert.equal(stringifyJson(atOnce(applyingMergePatch(document, parsed))), stringifyJson(result));
  // Nulls in a list that takes the place of an object are dropped when it takes the place of a list.
  const again = atOnce(applyingMergePatch(result, parsed));
  assert.equal(
    stringifyJson(atOnce(applyingMergePatch(again, parsed))),
    stringifyJson(again),
    'a patch changes nothing again',
  );
}

function judgeStrategicPatch(document: JsonObject, patch: Json): void {
  const { value: parsed } = outcomeOf(() => parseStrategicMergePatch(patch), ApiError);
  if (parsed === undefined) return;
  for (const node of [undefined, DEPLOYMENT]) {
    const outcome = outcomeOf(() => applyStrategicMergePatch(document, parsed, node), ApiError);
    if (outcome.value === undefined) continue;
    outcomeOf(() => decodeObject(DEPLOYMENT, outcome.value), DecodeError);
  }
}

/** Runs steps, of which there may not be more. */
function counted<T>(steps: Steps<T>, most: number): T {
  for (let left = most; ; left--) {
    const step = steps.next();
    if (step.done) return step.value;
    assert.ok(left > 0, 'no more steps than operations');
  }
}
