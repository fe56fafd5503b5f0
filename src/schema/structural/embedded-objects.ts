// Embedded objects in custom resources (x-kubernetes-embedded-resource): their metadata is decoded like any object's,
// and they need kind and apiVersion.

import { type FieldError, fieldError, fieldErrorBody } from '../../api/errors.ts';
import { jsonWord } from '../../api/go-text.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { validateObjectMeta } from '../../api/metadata-validation.ts';
import { label1035Faults } from '../../api/names.ts';
import type { Json, JsonObject, ObjectMeta } from '../../api/object.ts';
import { DecodeError, decodeObject } from '../decode.ts';
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

/**
 * Decodes metadata, apiVersion and kind of all embedded objects in a value. Modifies its argument.
 *
 * @returns the paths of unknown metadata fields
 * @throws EmbeddedObjectError for invalid metadata, and for an apiVersion or kind that is not a string
 */
export function readEmbedded(value: Json, part: SchemaPart, objectMeta: StructNode): string[] {
  const unknown: string[] = [];
  visitEmbedded(value, { part, path: '' }, (object, path) => {
    unknown.push(...readEmbeddedMetadata(object, objectMeta, below(path, 'metadata')));
    for (const name of ['apiVersion', 'kind']) {
      const text = object[name];
      if (text === undefined || typeof text === 'string') continue;
      throw new EmbeddedObjectError(fieldError.invalid(below(path, name), text, 'must be a string'));
    }
  });
  return unknown;
}

function readEmbeddedMetadata(object: JsonObject, objectMeta: StructNode, path: string): string[] {
  const { metadata } = object;
  if (metadata === undefined || metadata === null) return [];
  try {
    const { value, unknown } = readMetadata(metadata, objectMeta, path);
    object['metadata'] = value;
    return unknown;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new EmbeddedObjectError(fieldError.invalid(path, metadata, error.message));
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Decoded metadata, without an absent creation time. @throws DecodeError */
export function readMetadata(
  metadata: Json | undefined,
  objectMeta: StructNode,
  path: string,
): { value: JsonObject; unknown: string[] } {
  if (metadata !== undefined && (typeof metadata !== 'object' || Array.isArray(metadata))) {
    throw new DecodeError(`json: cannot unmarshal ${jsonWord(metadata)} into Go value of type v1.ObjectMeta`, path);
  }
  const { value, unknown } = decodeObject(objectMeta, metadata ?? {}, { owned: true });
  if (value['creationTimestamp'] === null) delete value['creationTimestamp'];
  return { value, unknown: unknown.map((each) => `${path}.${each}`) };
}

/** Validation errors of all embedded objects in a value. */
export function validateEmbedded(value: Json, part: SchemaPart): FieldError[] {
  const found: FieldError[] = [];
  visitEmbedded(value, { part, path: '' }, (object, path) => {
    found.push(...objectErrors(object, path));
  });
  return found;
}

function objectErrors({ apiVersion, kind, metadata }: JsonObject, path: string): FieldError[] {
  const found: FieldError[] = [];
  if (apiVersion === undefined) found.push(fieldError.required(`${path}.apiVersion`));
  if (kind === undefined) found.push(fieldError.required(`${path}.kind`));
  // Other types were rejected by decoding.
  if (typeof apiVersion === 'string') found.push(...apiVersionErrors(apiVersion, `${path}.apiVersion`));
  if (typeof kind === 'string') found.push(...kindErrors(kind, `${path}.kind`));
  if (typeof metadata === 'object' && metadata !== null) {
    const { name, namespace = '' } = metadata as ObjectMeta;
    found.push(
      ...validateObjectMeta({ ...(metadata as ObjectMeta), name: name || 'unnamed' } as ObjectMeta, {
        namespaced: namespace !== '',
        nameRule: 'pathSegment',
        path: `${path}.metadata`,
        anyFinalizer: true,
      }),
    );
  }
  return found;
}

function apiVersionErrors(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === '') return [fieldError.invalid(field, apiVersion, 'must not be empty')];
  if (parseApiVersion(apiVersion) !== undefined) return [];
  return [fieldError.invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
}

function kindErrors(kind: string, field: string): FieldError[] {
  if (kind === '') return [fieldError.invalid(field, kind, 'must not be empty')];
  const faults = label1035Faults(kind.toLowerCase());
  if (faults.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [fieldError.invalid(field, kind, detail)];
}

/** Visits embedded objects in a value, outer ones first, excluding the value itself. */
function visitEmbedded(
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
    visitEmbedded(value[name] as Json, { part: member, path: below(path, name) }, visit);
  }
}
