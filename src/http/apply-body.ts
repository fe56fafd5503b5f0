// The body of an apply: YAML, of which JSON is a part and the part that most clients send.

import { errors } from '../api/errors.ts';
import { countKeys, JsonError, jsonText, parseJson } from '../api/json-reader.ts';
import type { Json } from '../api/object.ts';
import type { ApplyBody } from '../verbs/apply.ts';
import { authorize } from './authorize.ts';
import { APPLY_TYPE, readBytes } from './body.ts';
import type { RequestContext } from './request-context.ts';

/** Whether a patch is an apply, which it says by its media type. */
export function isApply({ exchange }: RequestContext): boolean {
  return (exchange.headers['content-type'] ?? '').split(';', 1)[0]?.trim() === APPLY_TYPE;
}

/** Reads the body; it is parsed only once somebody wants to know what it says. @throws ApiError 413 */
export async function readApply(context: RequestContext): Promise<ApplyBody> {
  const text = jsonText(await readBytes(context));
  let parsed: ReturnType<typeof parse> | undefined;
  return {
    parse: () => {
      parsed ??= parse(text);
      return parsed;
    },
    authorizeCreate: () => authorize(context, 'create'),
  };
}

async function parse(text: string): Promise<{ value: Json; duplicates: readonly string[] }> {
  const value = parsePlainJson(text);
  if (value !== undefined) return { value, duplicates: [] };
  const { parseYaml, YamlError } = await import('../api/yaml-reader.ts');
  try {
    return await parseYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw errors.badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}

/** The value of a body that is a JSON object in which no member comes twice: read without the YAML reader. */
function parsePlainJson(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value = parseJson(text);
    return countKeys(text) === countMembers(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Not recursive, for documents may nest deep. */
function countMembers(value: Json): number {
  let members = 0;
  let level: unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const inner: unknown[] = Object.values(each);
      if (!Array.isArray(each)) members += inner.length;
      next.push(...inner);
    }
    level = next;
  }
  return members;
}
