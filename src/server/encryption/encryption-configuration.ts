// EncryptionConfiguration of apiserver.config.k8s.io/v1: the file that selects the keys for encrypting resources,
// decoded strictly, with kube-apiserver's error messages.

import {
  ConfigurationError,
  type ConfigurationKind,
  decodeConfiguration,
  OtherKindError,
  type Shape,
} from '../configuration-file.ts';

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
  /** Undefined where nothing is said of them. */
  readonly keys: readonly NamedKey[] | undefined;
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
  /** In milliseconds. */
  readonly timeout: number;
}

/** An unusable configuration; the message is for the operator and contains no key. */
export class EncryptionConfigError extends Error {
  override name = 'EncryptionConfigError';
}

const DEFAULT_TIMEOUT_MS = 3_000;

const KEYS: Shape = { list: { name: 'Key', fields: { name: 'string', secret: 'string' } } };
const KIND: ConfigurationKind = {
  kind: 'EncryptionConfiguration',
  oldKind: 'EncryptionConfig',
  versions: ['v1'],
  fields: {
    resources: {
      list: {
        name: 'ResourceConfiguration',
        fields: {
          resources: { list: 'string' },
          providers: {
            list: {
              name: 'ProviderConfiguration',
              fields: {
                aesgcm: { name: 'AESConfiguration', fields: { keys: KEYS } },
                aescbc: { name: 'AESConfiguration', fields: { keys: KEYS } },
                secretbox: { name: 'SecretboxConfiguration', fields: { keys: KEYS } },
                identity: { name: 'IdentityConfiguration', fields: {} },
                kms: {
                  name: 'KMSConfiguration',
                  fields: {
                    apiVersion: 'string',
                    name: 'string',
                    cachesize: 'int32',
                    endpoint: 'string',
                    timeout: 'duration',
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/**
 * The decoded configuration with defaults, not validated yet.
 * @throws EncryptionConfigError
 */
export async function decodeEncryptionConfiguration(text: string, path: string): Promise<EncryptionConfiguration> {
  try {
    return withDefaults((await decodeConfiguration(text, KIND)) as Partial<EncryptionConfiguration>);
  } catch (error) {
    if (error instanceof OtherKindError) {
      throw new EncryptionConfigError(`got unexpected config type: ${error.apiVersion}, Kind=${error.kind}`);
    }
    if (!(error instanceof ConfigurationError)) throw error;
    const where = `error decoding encryption provider configuration file ${JSON.stringify(path)}`;
    throw new EncryptionConfigError(`${where}: ${error.message}`);
  }
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
    keys: keys?.map((key: Partial<NamedKey> | undefined) => ({
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
    timeout: timeout ?? DEFAULT_TIMEOUT_MS,
  };
}
