// EncryptionConfiguration of apiserver.config.k8s.io/v1: the file that selects the keys for encrypting resources,
// decoded strictly, with kube-apiserver's error messages.

import type { Json } from '../../api/object.ts';
import { unregisteredKind } from '../../api/unregistered-kind.ts';
import { parseYaml, YamlError } from '../../api/yaml-reader.ts';
import { ConfigurationError, decodeStrictly, type Shape, type StructShape } from '../configuration-file.ts';

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

const keys: Shape = { list: { name: 'Key', fields: { name: 'string', secret: 'string' } } };
const provider: StructShape = {
  name: 'ProviderConfiguration',
  fields: {
    aesgcm: { name: 'AESConfiguration', fields: { keys } },
    aescbc: { name: 'AESConfiguration', fields: { keys } },
    secretbox: { name: 'SecretboxConfiguration', fields: { keys } },
    identity: { name: 'IdentityConfiguration', fields: {} },
    kms: {
      name: 'KMSConfiguration',
      fields: { apiVersion: 'string', name: 'string', cachesize: 'int32', endpoint: 'string', timeout: 'string' },
    },
  },
};
const configuration: StructShape = {
  name: 'EncryptionConfiguration',
  fields: {
    apiVersion: 'string',
    kind: 'string',
    resources: {
      list: {
        name: 'ResourceConfiguration',
        fields: { resources: { list: 'string' }, providers: { list: provider } },
      },
    },
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
  try {
    return withDefaults(decodeStrictly({ value: value as Json, duplicates }, configuration, 'v1'));
  } catch (error) {
    if (error instanceof ConfigurationError) return fail(error.message);
    throw error;
  }
}

function withDefaults({ resources = [] }: Partial<EncryptionConfiguration>): EncryptionConfiguration {
  return {
    resources: resources.map((rule: Partial<ResourceRule>) => ({
      resources: rule.resources ?? [],
      providers: (rule.providers ?? []).map(withProviderDefaults),
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
    keys: (keys ?? []).map((key: Partial<NamedKey>) => ({
      name: key.name ?? '',
      secret: key.secret ?? '',
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
