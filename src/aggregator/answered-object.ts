// Parsing of JSON objects from other API servers, in slices if they are long, so that they do not block other requests.

import { createHash } from 'node:crypto';
import { isObject } from '../api/is-object.ts';
import { JsonError, parseJson, parseLongJson } from '../api/json-reader.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { limits } from '../base/limits.ts';
import type { ShortTurns } from '../base/short-turns.ts';

/** Cooperative slices for long responses. */
export type ReadingTurns = Pick<ShortTurns, 'begin'>;

/** Rejects with an Error if it is not a JSON object. */
export async function answeredObject(text: string, turns: ReadingTurns): Promise<JsonObject> {
  let value: Json;
  try {
    const turn = turns.begin({ taskName: 'answer of another API server' });
    const long = await parseLongJson(text, () => turn.over());
    value = long === undefined ? parseJson(text) : long.value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Error(`the response is not JSON: ${error.message}`, { cause: error });
  }
  if (!isObject(value)) throw new Error('the response is not an object');
  return value;
}

/** Identifies a response. */
export async function answerHash(text: string, turns: ReadingTurns): Promise<string> {
  const turn = turns.begin({ taskName: 'hash of the answer of another API server' });
  const hash = createHash('sha256');
  for (let at = 0; at < text.length; at += limits.jsonPieceCharacters) {
    hash.update(text.slice(at, at + limits.jsonPieceCharacters));
    await turn.over();
  }
  return hash.digest('hex');
}
