// Parsing of objects in responses of webhooks, with the error messages of Kubernetes' clients.

import { ApiError } from '../api/errors.ts';
import { JsonError, parseJson, parseLongJson } from '../api/json-reader.ts';
import { notAnObject, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { answerFault, type HttpAnswer } from './answer-fault.ts';
import { nextRound } from './next-round.ts';

/** An invalid response; the message says why. */
export class AnswerError extends Error {
  override name = 'AnswerError';
  /** The error for an unsuccessful status. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = status;
  }
}

/** @throws AnswerError for an unsuccessful response, or one without an object */
export async function objectIn(answer: HttpAnswer): Promise<JsonObject> {
  const { status, contentType, body } = answer;
  if (status < 200 || status > 206) throw new AnswerError(answerFault(answer), { status });
  if (body === '') {
    // client-go takes what has no type for what it asked for.
    const type = contentType === '' ? 'application/json' : contentType;
    throw new AnswerError(`0-length response with status code: ${status} and content type: ${type}`);
  }
  const value = (await read(body)) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new AnswerError(notAnObject(value));
  const odd = unreadableTypeMeta(value);
  if (odd !== undefined) throw new AnswerError(odd);
  return value;
}

/** Parses JSON from another server, a long one in slices. @throws JsonError; ApiError 413 for an object of too many fields */
export async function parseJsonAnswer(text: string): Promise<Json> {
  const long = await parseLongJson(text, nextRound);
  return long === undefined ? parseJson(text) : long.value;
}

/** Kubernetes parses anything that does not begin like a JSON object as YAML. @throws AnswerError */
async function read(text: string): Promise<Json> {
  try {
    return text.trimStart().startsWith('{') ? await parseJsonAnswer(text) : (await parseYaml(text)).value;
  } catch (error) {
    if (error instanceof YamlError || error instanceof ApiError) throw new AnswerError(error.message, { cause: error });
    if (!(error instanceof JsonError)) throw error;
    throw new AnswerError(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
  }
}
