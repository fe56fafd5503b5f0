// Errors of patches, in the words of a release of Kubernetes. From 1.37 on a malformed patch is rejected before the object
// is read, and messages do not mention YAML.

import { ApiError, errors } from '../api/errors.ts';
import { JsonError, parseJson, parseLongJson } from '../api/json-reader.ts';
import type { Turn } from '../base/short-turns.ts';
import { isSince } from '../lifecycle/version.ts';

const READS_FIRST = 37;

const APPLY_TEXTS: readonly (readonly [from: RegExp, to: string])[] = [
  [/^error decoding YAML: (?=error converting YAML to JSON)/, 'error encoding patch: '],
  [/^error decoding YAML/, 'error decoding patch'],
  [/^error strict decoding YAML/, 'error strict decoding patch'],
];

/** The error of an apply in a minor release of Kubernetes 1. */
export function applyErrorIn(minor: number, error: unknown): unknown {
  if (!isSince({ minor }, READS_FIRST) || !(error instanceof ApiError) || error.code !== 400) return error;
  const changed = APPLY_TEXTS.find(([from]) => from.test(error.message));
  return changed === undefined ? error : errors.badRequest(error.message.replace(...changed));
}

/** The error of another patch in a minor release of Kubernetes 1. @param patch is read again, in turns */
export async function patchErrorIn(
  minor: number,
  error: unknown,
  { text, turn }: { readonly text: string; readonly turn?: Turn | undefined },
): Promise<unknown> {
  if (!isSince({ minor }, READS_FIRST) || !(error instanceof ApiError) || (await isJson(text, turn))) return error;
  return errors.badRequest('invalid JSON patch');
}

async function isJson(text: string, turn: Turn | undefined): Promise<boolean> {
  try {
    if ((await parseLongJson(text, () => turn?.over())) === undefined) parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}
