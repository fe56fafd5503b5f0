// Object in the JSON that another API server answers.

import { JsonError, parseJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { isObject } from '../resources/value.ts';

/** @throws Error for what is not an object in JSON */
export function answeredObject(text: string): JsonObject {
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Error(`the answer is not JSON: ${error.message}`, { cause: error });
  }
  if (!isObject(value)) throw new Error('the answer is not an object');
  return value;
}
