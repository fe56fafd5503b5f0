// The body of an apply: YAML, or its subset JSON, which most clients send.

import type { Buffer } from 'node:buffer';
import type { AuditTrail } from '../../api/audit-trail.ts';
import { countMembers } from '../../api/count-members.ts';
import { ApiError, errors } from '../../api/errors.ts';
import { countKeys, JsonError, parseJson, parseLongJson } from '../../api/json-reader.ts';
import { jsonText } from '../../api/json-text.ts';
import { stringifyJson } from '../../api/json-writer.ts';
import type { Json } from '../../api/object.ts';
import type { ShortTurns, Turn } from '../../base/short-turns.ts';
import type { ApplyBody } from '../../verbs/apply.ts';
import { writeOptions } from '../../verbs/write-options.ts';
import { authorizeCreate } from '../filters/authorize.ts';
import type { RequestContext } from '../request-context.ts';
import { readBytes, workOn } from './body.ts';
import { parseCborApply } from './cbor-body.ts';
import { APPLY_CBOR_TYPE, patchType } from './patch-type.ts';

/**
 * Reads the body; it is parsed only when its content is needed.
 * @throws ApiError 413, and 422 for invalid options if the audit event includes the body
 */
export async function readApply(context: RequestContext): Promise<ApplyBody> {
  const bytes = await readBytes(context);
  const { turns } = context.services;
  const turn = workOn(bytes, turns);
  let parsed: Promise<Parsed> | undefined;
  const read = () => {
    parsed ??= patchType(context) === APPLY_CBOR_TYPE ? parseCbor(bytes) : parseYaml(bytes, turn, turns);
    return parsed;
  };
  if (context.audit?.recordsRequests === true) {
    writeOptions({ query: context.query, definition: context.services.catalog }, 'PatchOptions', true);
    await auditApply(context.audit, read);
  }
  return {
    parse: read,
    turn,
    authorizeCreate: () => authorizeCreate(context),
  };
}

/** Audit events contain the configuration as JSON, whatever its media type, unless it cannot be parsed. */
async function auditApply(audit: AuditTrail, read: () => Promise<Parsed>): Promise<void> {
  try {
    audit.requestText(stringifyJson((await read()).value));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

interface Parsed {
  readonly value: Json;
  readonly duplicates: readonly string[];
}

async function parseCbor(bytes: Buffer): Promise<Parsed> {
  return { value: parseCborApply(bytes), duplicates: [] };
}

async function parseYaml(bytes: Buffer, turn: Turn | undefined, turns: ShortTurns): Promise<Parsed> {
  const value = await parsePlainJson(jsonText(bytes), turn);
  if (value !== undefined) return { value, duplicates: [] };
  const { parseYaml: read, YamlError } = await import('../../api/yaml-reader.ts');
  try {
    // Aliases can make a short body large.
    const reading = turn ?? turns.begin({ taskName: 'reading a body in YAML' });
    return await read(bytes, { pause: () => reading.over() });
  } catch (error) {
    if (error instanceof YamlError)
      throw errors.badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw error;
  }
}

/**
 * What YAML reads in another way than JSON: numbers out of range, which are strings, and bytes that are not UTF-8 and
 * escapes of slashes and surrogates, which are errors.
 */
const READ_OTHERWISE = /[eE]\+?\d{3}|(?<!\d)\d{309}|\\(?:\/|u[dD][89a-fA-F])|\ufffd/;

/** Parses a body that is a JSON object without duplicate members, without using the YAML reader. */
async function parsePlainJson(text: string, turn: Turn | undefined): Promise<Json | undefined> {
  if (!/^\s*\{/.test(text) || READ_OTHERWISE.test(text)) return undefined;
  try {
    const long = await parseLongJson(text, () => turn?.over());
    if (long !== undefined) return long.repeats ? undefined : long.value;
    const value = parseJson(text);
    return countKeys(text) === countMembers(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
