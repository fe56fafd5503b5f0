// Contract of the rules of a kind, with tables: the object of a client, and the errors of kube-apiserver about it. The
// object is decoded, completed by its defaults and prepared as in a create before it is validated.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fieldErrorBody } from '../../src/api/errors.ts';
import type { ApiObject, JsonObject } from '../../src/api/object.ts';
import { FeatureGates } from '../../src/lifecycle/feature-gates.ts';
import type { ResourceDefinition, StrategyContext } from '../../src/resources/definition.ts';
import { decodeObject } from '../../src/schema/decode.ts';
import { builtinResource } from './defaults.ts';

/** What is wrong, an object without metadata, and the errors: the beginning of each, in order. */
export type Refusal = readonly [subject: string, given: JsonObject, ...errors: string[]];

/** @param resource `storageclasses.storage.k8s.io`, `pods` */
export function refusals(resource: string, rows: readonly Refusal[]): void {
  const definition = builtinResource(resource);
  describe(`refusals of ${resource}`, () => {
    before(() => definition.strategy.load?.());
    for (const [subject, given, ...errors] of rows) {
      test(`validation of ${resource} refuses ${subject}`, () => {
        const found = errorsOf(definition, given);
        assert.equal(found.length, errors.length, found.join('\n'));
        for (const [index, error] of errors.entries()) {
          assert.ok(found[index]?.startsWith(error), `${found[index]}\nwanted ${error}`);
        }
      });
    }
  });
}

/** The errors about an object that is created, with the gates that are enabled by default. */
export function errorsOf({ storage, strategy }: ResourceDefinition, given: JsonObject): string[] {
  const gates = new FeatureGates();
  const context: StrategyContext = {
    nowMs: 0,
    gateEnabled: (gate) => gates.enabled(gate as Parameters<FeatureGates['enabled']>[0]),
    user: { name: 'jane', uid: '', groups: [], extra: {} },
  };
  const metadata = { name: 'a', namespace: 'n' };
  const object = decodeObject(storage.schema, { metadata, ...given }, context).value as ApiObject;
  strategy.defaults?.(object, context);
  strategy.dropGated?.(object, context);
  strategy.prepareForCreate?.(object, context);
  const found = [
    ...(strategy.validate?.(object, context) ?? []),
    ...(strategy.validateCreate?.(object, context) ?? []),
  ];
  return found.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
}
