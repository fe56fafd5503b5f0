// Contract of every kind's defaults, with tables: the object of a client, and its form before admission. Each example
// is defaulted twice; the second time must change nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../src/api/object.ts';
import { gatesIn } from '../../src/lifecycle/feature-gates.ts';
import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import { builtinResources } from '../../src/resources/builtin/resources.ts';
import type { ResourceDefinition, StrategyContext } from '../../src/resources/definition.ts';
import { decodeObject } from '../../src/schema/decode.ts';

export interface DefaultsExample {
  readonly when: string;
  readonly given: JsonObject;
  /** Everything stored except kind, apiVersion, metadata and status, or the fields in `only`. */
  readonly stored: JsonObject;
  readonly only?: readonly string[];
  /** Feature gates that are enabled. */
  readonly gates?: readonly string[];
}

/** @param resource `deployments.apps`, `pods` */
export function defaultsTable(resource: string, examples: readonly DefaultsExample[]): void {
  describe(`defaults of ${resource}`, () => {
    for (const { when, given, stored, only, gates = [] } of examples) {
      it(`defaults of ${resource} are filled in: ${when}`, () => {
        const actual = defaulted(builtinResource(resource), given, gates);
        assert.deepEqual(chosen(actual, only), chosen(stored, only));
      });
    }
  });
}

export function builtinResource(resource: string): ResourceDefinition {
  const [name, ...group] = resource.split('.');
  const found = builtinResources.find((each) => each.resource === name && each.group === group.join('.'));
  assert(found !== undefined, `no resource ${resource}`);
  return found;
}

/** Decodes and defaults an object of the storage version, and checks the invariants of all defaults. */
export function defaulted(definition: ResourceDefinition, given: JsonObject, gates: readonly string[] = []): ApiObject {
  const context = strategyContext(gates);
  const { schema } = definition.storage;
  const decode = (value: unknown) => decodeObject(schema, value, context).value;
  const object = decode(given) as ApiObject;
  const complete = (each: ApiObject) => {
    definition.strategy.defaults?.(each, context);
    definition.strategy.dropGated?.(each, context);
  };
  complete(object);
  const once = plain(object);
  assert.deepEqual(plain(decode(object)), once, 'defaults leave an object in the form that decoding gives it');
  complete(object);
  assert.deepEqual(plain(object), once, 'a second time changes nothing');
  return once as ApiObject;
}

/** They cannot be off in this release. */
const LOCKED_ON: ReadonlySet<string> = new Set<string>(
  gatesIn(CURRENT_MINOR)
    .filter(([, history]) => history.at(-1)?.locked && history.at(-1)?.default)
    .map(([gate]) => gate),
);

/** @param gates that are enabled, in addition to those that are locked */
export function strategyContext(gates: readonly string[] = []): StrategyContext {
  return {
    nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    gateEnabled: (gate) => gates.includes(gate) || LOCKED_ON.has(gate),
    user: { name: 'jane', uid: 'u1', groups: ['dev'], extra: {} },
  };
}

function plain(object: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}

function chosen(object: JsonObject, only: readonly string[] | undefined): JsonObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata: _metadata, status: _status, ...rest } = object;
  if (only === undefined) return rest;
  return Object.fromEntries(only.map((path) => [path, memberAt(object, path)]));
}

function memberAt(object: JsonObject, path: string): JsonObject[string] {
  // The tables list paths and values side by side.
  if (path in object) return object[path];
  let here: unknown = object;
  for (const name of path.split('.')) here = (here as JsonObject | undefined)?.[name];
  return here as JsonObject[string];
}
