// Conversion between the versions of managedFields if a webhook converts: the computation is repeated when the webhook
// has responded.

import { ApiError } from '../api/errors.ts';
import { stringifyJson } from '../api/json-writer.ts';
import type { JsonObject } from '../api/object.ts';
import type { Convert, TypedObject } from '../apply/typed-object.ts';
import type { Turn } from '../base/short-turns.ts';
import type { Soon } from '../base/soon.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { StoredConversion } from '../resources/stored-form.ts';
import { computed } from './computed.ts';
import { conversionOf, declaredVersion, typedIn } from './object-versions.ts';

/** A pending conversion by a webhook. */
class Wanted extends Error {
  override name = 'Wanted';
  readonly key: string;
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(key: string, object: JsonObject, apiVersion: string) {
    super(`an object is wanted in ${apiVersion}`);
    this.key = key;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

interface Conversions<Result> {
  readonly definition: ResourceDefinition;
  /** The computation, which must have no effect until it has all it needs. */
  readonly run: (convert: Convert) => Result;
  /** For a long object: the computation runs in slices. */
  readonly turn: Turn | undefined;
}

/**
 * Runs a computation that converts between versions of a resource, and repeats it when pending conversions have
 * completed. In the computation, a conversion throws the error with which the webhook failed.
 */
export function withConversions<Result>({ definition, run, turn }: Conversions<Result>): Soon<Result> {
  const conversion = definition.storedForm?.conversion;
  if (conversion === undefined) return computed(() => run(conversionOf(definition)), turn);
  return runAgain({ definition, run, turn }, conversion);
}

async function runAgain<Result>(
  { definition, run, turn }: Conversions<Result>,
  conversion: StoredConversion,
): Promise<Result> {
  const known = new Map<string, JsonObject | ApiError>();
  const convert: Convert = (object, apiVersion) => {
    if (object.apiVersion === apiVersion || isEmpty(object) || declaredVersion(definition, apiVersion) === undefined) {
      return conversionOf(definition)(object, apiVersion);
    }
    const key = `${apiVersion} ${stringifyJson(object.value)}`;
    const value = known.get(key);
    if (value === undefined) throw new Wanted(key, named(object, definition), apiVersion);
    if (value instanceof ApiError) throw value;
    return typedIn(definition, apiVersion, value);
  };
  for (;;) {
    try {
      return await computed(() => run(convert), turn);
    } catch (error) {
      if (!(error instanceof Wanted)) throw error;
      known.set(error.key, await outcome(conversion.convert(error.object, error.apiVersion)));
    }
  }
}

async function outcome(conversion: Promise<JsonObject>): Promise<JsonObject | ApiError> {
  try {
    return await conversion;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** An empty object looks the same in all versions. */
function isEmpty({ value }: TypedObject): boolean {
  return Object.keys(value).every((member) => member === 'kind' || member === 'apiVersion');
}

function named({ value, apiVersion }: TypedObject, { kind }: ResourceDefinition): JsonObject {
  return { ...value, kind, apiVersion };
}
