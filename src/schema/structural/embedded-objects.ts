// Embedded objects in custom resources (x-kubernetes-embedded-resource): their metadata is decoded like any object's,
// and they need kind and apiVersion.

import { type FieldError, fieldError, fieldErrorBody } from '../../api/errors.ts';
import { jsonWord } from '../../api/go-text.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { copyJson } from '../../api/json-writer.ts';
import { withSortedMembers } from '../../api/member-order.ts';
import { memberPath } from '../../api/member-path.ts';
import { validateObjectMeta } from '../../api/metadata-validation.ts';
import { label1035Faults } from '../../api/names.ts';
import type { Json, JsonObject, ObjectMeta } from '../../api/object.ts';
import { ownMember } from '../../api/own-member.ts';
import { atOnce, type Steps } from '../../base/steps.ts';
import { DecodeError, decodingObject } from '../decode.ts';
import type { StructNode } from '../node.ts';
import type { SchemaPart } from './schema-part.ts';

/** An invalid embedded object. */
export class EmbeddedObjectError extends DecodeError {
  /** The field within the whole value, and the error. */
  readonly fault: FieldError;

  constructor(fault: FieldError) {
    super(`${fault.field}: ${fieldErrorBody(fault)}`, fault.field);
    this.fault = fault;
  }
}

interface ReadOptions {
  readonly objectMeta: StructNode;
  /** Leaves invalid metadata, apiVersion and kind to validation, as in the result of an apply. */
  readonly leavesFaults?: boolean;
}

/**
 * Decodes metadata, apiVersion and kind of all embedded objects in a value. Modifies its argument.
 *
 * @returns the paths of unknown metadata fields
 * @throws EmbeddedObjectError for invalid metadata, and for an apiVersion or kind that is not a string
 */
export function readEmbedded(
  value: Json,
  part: SchemaPart,
  { objectMeta, leavesFaults = false }: ReadOptions,
): string[] {
  const unknown: string[] = [];
  visitEmbedded(value, { part, path: '' }, (object, path) => {
    const read = embeddedMetadata(object, objectMeta, memberPath(path, 'metadata'));
    const fault = [
      read.fault,
      ...TYPE_MEMBERS.map((name) => textFault(ownMember(object, name), memberPath(path, name))),
    ].find(Boolean);
    if (fault !== undefined && !leavesFaults) throw new EmbeddedObjectError(fault);
    if (read.value !== undefined) object['metadata'] = read.value;
    unknown.push(...read.unknown);
  });
  return unknown;
}

/** The members that every embedded object has besides metadata, texts. */
export const TYPE_MEMBERS = ['apiVersion', 'kind'];

/** The fault of an apiVersion or kind with another type than string. */
function textFault(text: Json | undefined, field: string): FieldError | undefined {
  return text === undefined || typeof text === 'string'
    ? undefined
    : fieldError.invalid(field, text, 'must be a string');
}

interface EmbeddedMetadata {
  /** Undefined if there is no metadata, or if it is invalid. */
  readonly value?: JsonObject;
  readonly unknown: readonly string[];
  readonly fault?: FieldError;
}

function embeddedMetadata({ metadata }: JsonObject, objectMeta: StructNode, path: string): EmbeddedMetadata {
  if (metadata === undefined) return { unknown: [] };
  try {
    return readMetadata(metadata, objectMeta, path);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { unknown: [], fault: fieldError.invalid(path, withSortedMembers(metadata), error.message) };
  }
}

/** Like readingMetadata, at once. */
export function readMetadata(metadata: Json | undefined, objectMeta: StructNode, path: string): ReadMetadata {
  return atOnce(readingMetadata(metadata, objectMeta, path));
}

interface ReadMetadata {
  readonly value: JsonObject;
  readonly unknown: string[];
}

/** Decoded metadata, without an absent creation time. @throws DecodeError */
export function* readingMetadata(
  metadata: Json | undefined,
  objectMeta: StructNode,
  path: string,
): Steps<ReadMetadata> {
  if (metadata !== undefined && (typeof metadata !== 'object' || Array.isArray(metadata))) {
    throw new DecodeError(`json: cannot unmarshal ${jsonWord(metadata)} into Go value of type v1.ObjectMeta`, path);
  }
  const { value, unknown } = yield* decodingObject(objectMeta, metadata ?? {}, { owned: true });
  if (value['creationTimestamp'] === null) delete value['creationTimestamp'];
  return { value, unknown: unknown.map((each) => `${path}.${each}`) };
}

/** Validation errors of all embedded objects in a value. */
export function validateEmbedded(value: Json, part: SchemaPart, objectMeta: StructNode): FieldError[] {
  const found: FieldError[] = [];
  visitEmbedded(value, { part, path: '' }, (object, path) => {
    found.push(...objectErrors(object, { objectMeta, path }));
  });
  return found;
}

/** The name of the rule for missing types, whose errors some releases word differently. */
export const EMBEDDED_TYPE = 'embedded-type';

function untyped(field: string): FieldError {
  return { ...fieldError.required(field), origin: EMBEDDED_TYPE };
}

function objectErrors(
  object: JsonObject,
  { objectMeta, path }: { objectMeta: StructNode; path: string },
): FieldError[] {
  const { apiVersion, kind } = object;
  const found: FieldError[] = [];
  if (apiVersion === undefined) found.push(untyped(`${path}.apiVersion`));
  if (kind === undefined) found.push(untyped(`${path}.kind`));
  if (apiVersion !== undefined) found.push(...apiVersionErrors(apiVersion, `${path}.apiVersion`));
  if (kind !== undefined) found.push(...kindErrors(kind, `${path}.kind`));
  // Reading modifies what it reads.
  const read = object['metadata'] === undefined ? {} : { metadata: copyJson(object['metadata']) };
  const { value: metadata, fault } = embeddedMetadata(read, objectMeta, `${path}.metadata`);
  if (fault !== undefined) found.push(fault);
  if (metadata !== undefined) {
    const { name, namespace = '' } = metadata as unknown as ObjectMeta;
    found.push(
      ...validateObjectMeta({ ...metadata, name: name || 'unnamed' } as unknown as ObjectMeta, {
        namespaced: namespace !== '',
        nameRule: 'pathSegment',
        path: `${path}.metadata`,
        anyFinalizer: true,
      }),
    );
  }
  return found;
}

function apiVersionErrors(apiVersion: Json, field: string): FieldError[] {
  if (typeof apiVersion !== 'string') return [fieldError.invalid(field, apiVersion, 'must be a string')];
  if (apiVersion === '') return [fieldError.invalid(field, apiVersion, 'must not be empty')];
  if (parseApiVersion(apiVersion) !== undefined) return [];
  return [fieldError.invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindErrors(kind: Json, field: string): FieldError[] {
  if (typeof kind !== 'string') return [fieldError.invalid(field, kind, 'must be a string')];
  if (kind === '') return [fieldError.invalid(field, kind, 'must not be empty')];
  const faults = label1035Faults(kind.toLowerCase());
  if (faults.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [fieldError.invalid(field, kind, detail)];
}

/** Visits embedded objects in a value, outer ones first, excluding the value itself. */
export function visitEmbedded(
  value: Json,
  { part, path }: { part: SchemaPart; path: string },
  visit: (object: JsonObject, path: string) => void,
): void {
  if (!part.hasEmbedded || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = part;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) visitEmbedded(item, { part: items, path: `${path}[${index}]` }, visit);
    return;
  }
  if (part.embedded) visit(value, path);
  for (const name of Object.keys(value).sort()) {
    const member = part.member(name);
    if (member === undefined) continue;
    // Members that the schema does not name are keys of a map.
    const place = part.properties.has(name) ? memberPath(path, name) : `${path}[${name}]`;
    visitEmbedded(value[name] as Json, { part: member, path: place }, visit);
  }
}
