// Strict decoding of configuration files, for authentication, authorization, encryption, egress and tracing: a misspelt
// field must not silently weaken security.

import { jsonWord } from '../api/go-text.ts';
import { isObject } from '../api/is-object.ts';
import { JsonError, parsingJson, strictDecodingErrors, unreadableJson } from '../api/json-reader.ts';
import { memberPath } from '../api/member-path.ts';
import { notAnObject, typeMetaOf, unreadableTypeMeta } from '../api/not-an-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { parseGoDuration } from '../base/go-duration.ts';
import type { Turn } from '../base/short-turns.ts';
import { carriedOut } from '../base/steps.ts';

/** The type of a field; a duration is a string such as `30s`, decoded to milliseconds. */
export type Shape = 'string' | 'bool' | 'duration' | 'int32' | { readonly list: Shape } | StructShape;

interface StructShape {
  /** The Go name of the type, used in errors. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Shape>>;
}

export interface ConfigurationKind {
  readonly kind: string;
  /** Its name before it had a group; still accepted with apiVersion `v1`. */
  readonly oldKind?: string;
  /** The Go name of its type, if that is another. */
  readonly goName?: string;
  /** The minor release of Kubernetes 1 whose words errors have; the one served by default if undefined. */
  readonly minor?: number;
  /** `apiserver.config.k8s.io` by default. */
  readonly group?: string;
  readonly versions: readonly string[];
  readonly fields: Readonly<Record<string, Shape>>;
  /** Whether a file may leave out its kind and version. */
  readonly isTypeOptional?: boolean;
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
  'TracingConfiguration',
];

/** A valid file of another kind. */
export class OtherKindError extends ConfigurationError {
  override name = 'OtherKindError';
  readonly apiVersion: string;
  readonly kind: string;
  constructor(wanted: string, { apiVersion, kind }: { apiVersion: string; kind: string }) {
    super(`expected ${wanted}, got *apiserver.${kind}`);
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}

/** The decoded fields of a file. @throws ConfigurationError with kube-apiserver's message */
export async function decodeConfiguration(text: string, of: ConfigurationKind): Promise<JsonObject> {
  const document = await readDocument(text);
  const { value } = document;
  const apiVersion = checkedVersion(value, text, of);
  const unknown: string[] = [];
  const shape: StructShape = {
    name: of.goName ?? of.kind,
    fields: { apiVersion: 'string', kind: 'string', ...of.fields },
  };
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const decoded = decode(value ?? {}, { shape, path: '', struct: shape.name, version, unknown }) as JsonObject;
  await checkStrictly(document, unknown);
  return decoded;
}

/** A document before its kind is known. */
interface ReadDocument {
  readonly text: string;
  readonly value: Json;
  /** Those of YAML; repeated members of JSON are found when it is checked. */
  readonly duplicates: readonly string[];
}

/**
 * @param turn lets other work run
 * @throws ConfigurationError for fields that the type of a document does not have, and for repeated ones
 */
export async function checkStrictly(
  { text, duplicates }: ReadDocument,
  unknown: readonly string[],
  turn?: Turn,
): Promise<void> {
  const strict = isJson(text)
    ? await carriedOut(strictDecodingErrors(text, unknown), turn)
    : [
        ...(duplicates.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`]),
        ...unknown.map((path) => `unknown field ${JSON.stringify(path)}`),
      ];
  if (strict.length > 0) throw new ConfigurationError(`strict decoding error: ${strict.join(', ')}`);
}

/** A text that begins with a brace is only parsed as JSON. */
function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

/** @param turn lets other work run @throws ConfigurationError */
export async function readDocument(text: string, turn?: Turn): Promise<ReadDocument> {
  try {
    if (isJson(text)) return { text, value: await carriedOut(parsingJson(text), turn), duplicates: [] };
    const { value, duplicates } = await parseYaml(text, turn && { pause: () => turn.over() });
    return { text, value, duplicates };
  } catch (error) {
    if (error instanceof JsonError) throw new ConfigurationError(unreadableJson(error), { cause: error });
    if (error instanceof YamlError) throw new ConfigurationError(error.message, { cause: error });
    throw error;
  }
}

/** @returns the file's apiVersion @throws ConfigurationError */
function checkedVersion(value: Json, text: string, of: ConfigurationKind): string {
  if (!isObject(value) && value !== null) throw new ConfigurationError(notAnObject(value));
  const untyped = value === null ? undefined : unreadableTypeMeta(value as JsonObject);
  if (untyped !== undefined) throw new ConfigurationError(untyped);
  const { group = GROUP, oldKind, isTypeOptional } = of;
  const given = typeMetaOf((value ?? {}) as JsonObject);
  const kind = isTypeOptional === true ? given.kind || of.kind : given.kind;
  const apiVersion = isTypeOptional === true ? given.apiVersion || `${group}/${of.versions[0]}` : given.apiVersion;
  if (apiVersion.split('/').length > 2) throw new ConfigurationError(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind === '') throw new ConfigurationError(`Object 'Kind' is missing in '${text}'`);
  if (apiVersion === '') throw new ConfigurationError(`Object 'apiVersion' is missing in '${text}'`);
  if (kind === oldKind && apiVersion === 'v1') return apiVersion;
  if (kind !== of.kind && apiVersion === `${GROUP}/v1` && KINDS.includes(kind)) {
    throw new OtherKindError(of.kind, { apiVersion, kind });
  }
  const isVersion = of.versions.some((version) => apiVersion === `${group}/${version}`);
  if (kind !== of.kind || !isVersion) throw new ConfigurationError(unregisteredKind(kind, apiVersion, of.minor));
  return apiVersion;
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
    const at = memberPath(path, name);
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
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
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
    `json: cannot unmarshal ${wordOf(value, wanted)} into Go struct field ${struct}.${path.replace(/\[\d+\]/g, '')} of type ${wanted}`,
  );
}

/** Numbers that are not of an integer type are quoted. */
function wordOf(value: Json, wanted: string): string {
  return wanted === 'int32' && typeof value === 'number' ? `number ${value}` : jsonWord(value);
}
