// kubectl's client-side apply: it stores the applied configuration in an annotation. While an object has the
// annotation, server-side applies by the manager `kubectl` keep it current, and conflicts with values that the
// annotation explains are ignored.

import { isObject } from '../api/is-object.ts';
import { JsonError, parseJson } from '../api/json-reader.ts';
import { validateAnnotations } from '../api/metadata-validation.ts';
import type { Json, JsonObject, ObjectMeta } from '../api/object.ts';
import { ownMember } from '../api/own-member.ts';
import { part } from '../base/resumed.ts';
import { type Applied, type Apply, applyConfiguration } from './apply.ts';
import { compareValues } from './compare.ts';
import { ConflictError } from './conflict.ts';
import { difference, type FieldSet } from './field-set.ts';
import type { Manager } from './managers.ts';
import { typeFaults } from './type-faults.ts';
import { fieldSetOf } from './typed-walk.ts';

const KUBECTL = 'kubectl';
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Like applyConfiguration, with the rules for kubectl. @throws like applyConfiguration */
export function applyWithMigration(apply: Apply, managers: readonly Manager[]): Applied {
  if (apply.by.name !== KUBECTL) return applyConfiguration(apply, managers);
  const result = part(() => applyForgiving(apply, managers));
  return withAnnotation(apply, result);
}

function applyForgiving(apply: Apply, managers: readonly Manager[]): Applied {
  try {
    return part(() => applyConfiguration(apply, managers));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const explained = part(() => explainedFields(apply));
    if (explained === undefined) throw error;
    const left = error.conflicts.flatMap(({ manager, fields }) => {
      const rest = difference(fields, explained);
      return rest === undefined ? [] : [{ manager, fields: rest }];
    });
    if (left.length > 0) throw new ConflictError(left);
    return applyConfiguration({ ...apply, force: true }, managers);
  }
}

/** The fields in the annotation that still have their applied values. */
function explainedFields({ live }: Apply): FieldSet {
  const text = lastApplied(live.value);
  if (text === undefined) return undefined;
  const last = parsed(text);
  if (last === undefined || last.apiVersion !== live.apiVersion) return undefined;
  const check = { allowDuplicates: false };
  if (typeFaults(live.type, live.value, check) !== undefined || typeFaults(live.type, last, check) !== undefined) {
    return undefined;
  }
  const changes = compareValues(live.type, last, live.value);
  const fields = fieldSetOf(live.type, last);
  return difference(difference(difference(fields, changes?.modified), changes?.added), changes?.removed);
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function lastApplied(object: JsonObject): string | undefined {
  const annotations = (object.metadata as ObjectMeta | undefined)?.annotations;
  return annotations?.[ANNOTATION] || undefined;
}

/** Updates the annotation of an object that has one. */
function withAnnotation({ live, applied }: Apply, result: Applied): Applied {
  const object = result.object ?? live.value;
  const before = lastApplied(object);
  const text = `${sortedJson(withoutAnnotation(applied))}\n`;
  if (before === undefined || before === text) return result;
  const metadata = object.metadata as ObjectMeta;
  const annotations: Record<string, string> = { ...metadata.annotations, [ANNOTATION]: text };
  const isTooLong = validateAnnotations(annotations, '').some(({ type }) => type === 'FieldValueTooLong');
  if (isTooLong) delete annotations[ANNOTATION];
  return { ...result, object: { ...object, metadata: { ...metadata, annotations } } };
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const metadata = applied.metadata as ObjectMeta | undefined;
  if (metadata?.annotations?.[ANNOTATION] === undefined) return applied;
  const { [ANNOTATION]: _gone, ...annotations } = metadata.annotations;
  return { ...applied, metadata: { ...metadata, annotations } };
}

/** JSON as encoded from Go maps: sorted keys, and HTML special characters escaped. */
function sortedJson(value: Json): string {
  return sortedText(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function sortedText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`;
  if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : JSON.stringify(value ?? null);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sortedText(ownMember(value, name))}`).join(',')}}`;
}
