// EncryptionConfiguration of apiserver.config.k8s.io/v1: the file that selects the keys for encrypting resources,
// decoded strictly, with kube-apiserver's error messages.

import { jsonWord } from '../../api/go-text.ts';
import { unregisteredKind } from '../../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../../api/yaml-reader.ts';

export interface EncryptionConfiguration {
  readonly resources: readonly ResourceRule[];
}

interface ResourceRule {
  readonly resources: readonly string[];
  readonly providers: readonly ProviderRule[];
}

/** A valid one has exactly one of these. */
export interface ProviderRule {
  readonly aesgcm?: KeyedProvider;
  readonly aescbc?: KeyedProvider;
  readonly secretbox?: KeyedProvider;
  readonly identity?: Readonly<Record<string, never>>;
  readonly kms?: KmsProvider;
}

export interface KeyedProvider {
  readonly keys: readonly NamedKey[];
}

interface NamedKey {
  readonly name: string;
  /** In base64. */
  readonly secret: string;
}

export interface KmsProvider {
  readonly apiVersion: string;
  readonly name: string;
  readonly cachesize: number | undefined;
  readonly endpoint: string;
  /** As written in the file. */
  readonly timeout: string;
}

/** An unusable configuration; the message is for the operator and contains no key. */
export class EncryptionConfigError extends Error {
  override name = 'EncryptionConfigError';
}

/** The type of a field: string, integer, an object with named fields, or a list. */
type Shape = 'string' | 'int32' | ObjectShape | readonly [Shape];
interface ObjectShape {
  readonly go: string;
  readonly fields: Readonly<Record<string, Shape>>;
}

const keyed: ObjectShape = {
  go: 'v1.AESConfiguration',
  fields: { keys: [{ go: 'v1.Key', fields: { name: 'string', secret: 'string' } }] },
};
const providers: ObjectShape = {
  go: 'v1.ProviderConfiguration',
  fields: {
    aesgcm: keyed,
    aescbc: keyed,
    secretbox: { ...keyed, go: 'v1.SecretboxConfiguration' },
    identity: { go: 'v1.IdentityConfiguration', fields: {} },
    kms: {
      go: 'v1.KMSConfiguration',
      fields: { apiVersion: 'string', name: 'string', cachesize: 'int32', endpoint: 'string', timeout: 'string' },
    },
  },
};
const configuration: ObjectShape = {
  go: 'EncryptionConfiguration',
  fields: {
    apiVersion: 'string',
    kind: 'string',
    resources: [{ go: 'v1.ResourceConfiguration', fields: { resources: ['string'], providers: [providers] } }],
  },
};

const GROUP_VERSION = 'apiserver.config.k8s.io/v1';
const KIND = 'EncryptionConfiguration';
/** Kinds of the same version that belong in other files. */
const OTHER_KINDS = [
  'AdmissionConfiguration',
  'AuthenticationConfiguration',
  'AuthorizationConfiguration',
  'TracingConfiguration',
];

/**
 * The decoded configuration with defaults, not validated yet.
 * @throws EncryptionConfigError
 */
export async function decodeEncryptionConfiguration(text: string, path: string): Promise<EncryptionConfiguration> {
  const fail = (detail: string): never => {
    throw new EncryptionConfigError(
      `error decoding encryption provider configuration file ${JSON.stringify(path)}: ${detail}`,
    );
  };
  const { value, duplicates } = await parseYaml(text).catch((error: unknown) => {
    if (error instanceof YamlError) return fail(error.message);
    throw error;
  });
  const { apiVersion = '', kind = '' } = (isObject(value) ? value : {}) as { apiVersion?: string; kind?: string };
  if (kind === '') fail(`Object 'Kind' is missing in '${isObject(value) ? '{...}' : JSON.stringify(value)}'`);
  if (apiVersion !== GROUP_VERSION || (kind !== KIND && !OTHER_KINDS.includes(kind))) {
    fail(unregisteredKind(kind, apiVersion || 'v1'));
  }
  if (kind !== KIND) {
    throw new EncryptionConfigError(`got unexpected config type: ${GROUP_VERSION}, Kind=${kind}`);
  }
  const unknown: string[] = [];
  const decoded = decode({ value, shape: configuration, path: '', unknown, fail }) as Partial<EncryptionConfiguration>;
  const strict = [
    ...(duplicates.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`] : []),
    ...unknown.map((field) => `unknown field ${JSON.stringify(field)}`),
  ];
  if (strict.length > 0) fail(`strict decoding error: ${strict.join(', ')}`);
  return withDefaults(decoded);
}

interface Decoding {
  readonly value: unknown;
  readonly shape: Shape;
  readonly path: string;
  readonly unknown: string[];
  readonly fail: (detail: string) => never;
}

function decode({ value, shape, path, unknown, fail }: Decoding): unknown {
  if (value === null || value === undefined) return undefined;
  const mismatch = (): never =>
    fail(`json: cannot unmarshal ${jsonWord(value)} into Go struct field ${KIND}.${path} of type ${goType(shape)}`);
  if (shape === 'string') return typeof value === 'string' ? value : mismatch();
  if (shape === 'int32') return Number.isInteger(value) ? value : mismatch();
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return mismatch();
    return value.map((each, index) =>
      decode({ value: each, shape: shape[0], path: `${path}[${index}]`, unknown, fail }),
    );
  }
  if (!isObject(value)) return mismatch();
  const { fields } = shape as ObjectShape;
  const object: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    const field = fields[name];
    if (field === undefined) unknown.push(at);
    else object[name] = decode({ value: each, shape: field, path: at, unknown, fail });
  }
  return object;
}

function withDefaults({ resources = [] }: Partial<EncryptionConfiguration>): EncryptionConfiguration {
  return {
    resources: resources.map((rule: Partial<ResourceRule> | undefined) => ({
      resources: rule?.resources?.map((name) => name ?? '') ?? [],
      providers: (rule?.providers ?? []).map((provider: ProviderRule | undefined) =>
        withProviderDefaults(provider ?? {}),
      ),
    })),
  };
}

function withProviderDefaults({ aesgcm, aescbc, secretbox, identity, kms }: ProviderRule): ProviderRule {
  return {
    ...(aesgcm && { aesgcm: withKeys(aesgcm) }),
    ...(aescbc && { aescbc: withKeys(aescbc) }),
    ...(secretbox && { secretbox: withKeys(secretbox) }),
    ...(identity && { identity }),
    ...(kms && { kms: withKmsDefaults(kms) }),
  };
}

function withKeys({ keys }: Partial<KeyedProvider>): KeyedProvider {
  return {
    keys: (keys ?? []).map((key: Partial<NamedKey> | undefined) => ({
      name: key?.name ?? '',
      secret: key?.secret ?? '',
    })),
  };
}

function withKmsDefaults({ apiVersion, name, cachesize, endpoint, timeout }: Partial<KmsProvider>): KmsProvider {
  const version = apiVersion || 'v1';
  return {
    apiVersion: version,
    name: name ?? '',
    cachesize: cachesize ?? (version === 'v1' ? 1000 : undefined),
    endpoint: endpoint ?? '',
    timeout: timeout ?? '3s',
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function goType(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  return Array.isArray(shape) ? `[]${goType(shape[0])}` : (shape as ObjectShape).go;
}
