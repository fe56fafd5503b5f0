// Strict decoding of configuration files, for authentication, authorization, encryption, egress and tracing: a misspelt
// field must not silently weaken security.

import { jsonWord } from '../api/go-text.ts';
import { notAnObject } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { parseGoDuration } from '../base/go-duration.ts';

/** The type of a field; a duration is a string such as `30s`, decoded to milliseconds. */
export type Shape = 'string' | 'bool' | 'duration' | 'int32' | { readonly list: Shape } | StructShape;

export interface StructShape {
  /** The Go name of the type, used in errors. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Shape>>;
}

export interface ConfigurationKind {
  readonly kind: string;
  /** `apiserver.config.k8s.io` by default. */
  readonly group?: string;
  readonly versions: readonly string[];
  readonly fields: Readonly<Record<string, Shape>>;
}

/** An unusable configuration; the message is for the operator. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

const GROUP = 'apiserver.config.k8s.io';
/** Kinds of the group: a valid file may be of another kind than a flag expects. */
const KINDS = [
  'AdmissionConfiguration',
  'AuthenticationConfiguration',
  'AuthorizationConfiguration',
  'EncryptionConfiguration',
];

/** The decoded fields of a file. @throws ConfigurationError */
export async function decodeConfiguration(text: string, of: ConfigurationKind): Promise<JsonObject> {
  const { value, duplicates } = await parseYaml(text).catch((error: unknown) => {
    if (error instanceof YamlError) {
      throw new ConfigurationError(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
    }
    throw error;
  });
  if (!isObject(value) && value !== null) throw new ConfigurationError(notAnObject(value));
  const { apiVersion = '', kind = '' } = (value ?? {}) as { apiVersion?: string; kind?: string };
  if (kind === '') throw new ConfigurationError(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') throw new ConfigurationError(`Object 'apiVersion' is missing in '${text}'`);
  const { group = GROUP } = of;
  const isVersion = of.versions.some((version) => apiVersion === `${group}/${version}`);
  if (kind !== of.kind && apiVersion === `${GROUP}/v1` && KINDS.includes(kind)) {
    throw new ConfigurationError(`expected ${of.kind}, got *apiserver.${kind}`);
  }
  if (kind !== of.kind || !isVersion) throw new ConfigurationError(unregisteredKind(kind, apiVersion));
  const shape: StructShape = { name: of.kind, fields: { apiVersion: 'string', kind: 'string', ...of.fields } };
  return decodeStrictly({ value: value as Json, duplicates }, shape, apiVersion.slice(group.length + 1));
}

/**
 * Decodes parsed YAML, which must be an object or null.
 * @param version of the file, used in errors
 * @throws ConfigurationError for unknown and duplicate fields and for values of the wrong type
 */
export function decodeStrictly(
  { value, duplicates }: { readonly value: Json; readonly duplicates: readonly string[] },
  shape: StructShape,
  version: string,
): JsonObject {
  const unknown: string[] = [];
  const decoded = decode(value, { shape, path: '', struct: shape.name, version, unknown }) as JsonObject;
  const repeated = duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`];
  const strict = [...repeated, ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`)];
  if (strict.length > 0) throw new ConfigurationError(`strict decoding error: ${strict.join(', ')}`);
  return decoded;
}

interface Place {
  readonly shape: Shape;
  readonly path: string;
  /** The Go type with the field. */
  readonly struct: string;
  readonly version: string;
  readonly unknown: string[];
}

function decode(value: Json, place: Place): Json | undefined {
  const { shape, path } = place;
  if (value === null) return undefined;
  if (shape === 'string') return typeof value === 'string' ? value : mismatch(value, place, 'string');
  if (shape === 'bool') return typeof value === 'boolean' ? value : mismatch(value, place, 'bool');
  if (shape === 'int32') return isInt32(value) ? value : mismatch(value, place, 'int32');
  if (shape === 'duration') return duration(value, place);
  if ('list' in shape) {
    if (!Array.isArray(value)) return mismatch(value, place, goType(shape, place.version));
    return value.map(
      (each, index) => decode(each, { ...place, shape: shape.list, path: `${path}[${index}]` }) ?? emptyOf(shape.list),
    );
  }
  if (!isObject(value)) return mismatch(value, place, goType(shape, place.version));
  const object: JsonObject = {};
  for (const [name, each] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const field = shape.fields[name];
    if (field === undefined) place.unknown.push(at);
    else {
      const decoded = decode(each as Json, { ...place, struct: shape.name, shape: field, path: at });
      if (decoded !== undefined) object[name] = decoded;
    }
  }
  return object;
}

function emptyOf(shape: Shape): Json {
  if (shape === 'string') return '';
  return typeof shape === 'object' && 'fields' in shape ? {} : [];
}

function duration(value: Json, place: Place): number {
  if (typeof value !== 'string') return mismatch(value, place, 'string');
  try {
    return parseGoDuration(value);
  } catch {
    throw new ConfigurationError(`time: invalid duration ${JSON.stringify(value)}`);
  }
}

function isInt32(value: Json): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

function goType(shape: Shape, version: string): string {
  if (typeof shape === 'string') return shape;
  return 'list' in shape ? `[]${goType(shape.list, version)}` : `${version}.${shape.name}`;
}

function mismatch(value: Json, { path, struct }: Place, wanted: string): never {
  throw new ConfigurationError(
    `json: cannot unmarshal ${jsonWord(value)} into Go struct field ${struct}.${path.replace(/\[\d+\]/g, '')} of type ${wanted}`,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
