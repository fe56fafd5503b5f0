// Transformers of a valid EncryptionConfiguration, for each of its rules.

import { createSecretKey } from 'node:crypto';
import { AesCbcTransformer, AesGcmTransformer } from '../../store/encryption/aes.ts';
import {
  identityTransformer,
  type PrefixedTransformer,
  PrefixTransformers,
  type TransformationObserver,
} from '../../store/encryption/prefix-transformers.ts';
import type { ValueTransformer } from '../../store/value-transformer.ts';
import {
  EncryptionConfigError,
  type EncryptionConfiguration,
  type KeyedProvider,
  type KmsProvider as KmsRule,
  type ProviderRule,
} from './encryption-configuration.ts';
import { decodeSecret, groupOf } from './validate-encryption.ts';

/** The providers of each rule in order, by `secrets`, `deployments.apps`, `*.apps`, `*.` or `*.*`. */
export type ProvidersByRule = ReadonlyMap<string, readonly BuildProvider[]>;

/** Creates the transformer of a provider for one resource; transformations are reported to the observer. */
type BuildProvider = (observer: TransformationObserver) => PrefixedTransformer;

interface PluginRules {
  /** Connects to a plugin. */
  readonly start: (rule: KmsRule) => Promise<ValueTransformer>;
  /** Whether the gate for KMS v1 is enabled. */
  readonly isV1Allowed: boolean;
}

/** @throws EncryptionConfigError for rules that an earlier one covers, and for unsupported providers */
export async function providersOf(
  configuration: EncryptionConfiguration,
  plugins: PluginRules,
): Promise<ProvidersByRule> {
  const byRule = new Map<string, BuildProvider[]>();
  for (const { resources, providers } of configuration.resources) {
    const built: BuildProvider[] = [];
    for (const provider of providers) built.push(await buildProvider(provider, plugins));
    for (const resource of resources) {
      for (const wildcard of [`*.${groupOf(resource)}`, '*.*']) {
        if (byRule.has(wildcard)) throw masked(resource, wildcard);
      }
      byRule.set(resource, [...(byRule.get(resource) ?? []), ...built]);
    }
  }
  return byRule;
}

/** The rule for a resource such as `deployments.apps`: its own, that of its group, or that of all. */
export function ruleOf(byRule: ProvidersByRule, resource: string): readonly BuildProvider[] | undefined {
  return byRule.get(resource) ?? byRule.get(`*.${groupOf(resource)}`) ?? byRule.get('*.*');
}

/** The transformer of a resource by its rule; without a rule values are not encrypted. */
export function transformerOf(
  rule: readonly BuildProvider[] | undefined,
  observer: TransformationObserver,
): ValueTransformer {
  if (rule === undefined) return identityTransformer;
  const providers = rule.map((build) => build(observer));
  return new PrefixTransformers(providers, 'no matching prefix found', observer);
}

const V1_IS_OFF =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  ' +
  'Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

function masked(resource: string, wildcard: string): EncryptionConfigError {
  return new EncryptionConfigError(
    `resource ${JSON.stringify(resource.replace(/(?<=[^*])\.$/, ''))} is masked by earlier rule ${JSON.stringify(wildcard)}`,
  );
}

async function buildProvider(rule: ProviderRule, { start, isV1Allowed }: PluginRules): Promise<BuildProvider> {
  const { aesgcm, aescbc, secretbox, kms } = rule;
  if (aesgcm !== undefined) {
    return keyed(aesgcm, { name: 'aesgcm', title: 'AES', make: (key) => new AesGcmTransformer(createSecretKey(key)) });
  }
  if (aescbc !== undefined) {
    return keyed(aescbc, { name: 'aescbc', title: 'AES', make: (key) => new AesCbcTransformer(createSecretKey(key)) });
  }
  if (secretbox !== undefined) {
    const { SecretboxTransformer } = await import('../../store/encryption/secretbox.ts');
    return keyed(secretbox, { name: 'secretbox', title: 'Secretbox', make: (key) => new SecretboxTransformer(key) });
  }
  if (kms !== undefined) {
    if (kms.apiVersion === 'v1' && !isV1Allowed) throw new EncryptionConfigError(V1_IS_OFF);
    const transformer = await start(kms);
    return () => ({ prefix: `k8s:enc:kms:${kms.apiVersion}:${kms.name}:`, transformer });
  }
  return () => ({ prefix: '', transformer: identityTransformer });
}

interface Cipher {
  readonly name: string;
  readonly title: string;
  readonly make: (key: Buffer) => ValueTransformer;
}

function keyed({ keys = [] }: KeyedProvider, { name, title, make }: Cipher): BuildProvider {
  const transformers = keys.map((key) => ({
    prefix: `${key.name}:`,
    transformer: make(decodeSecret(key.secret)!),
  }));
  const noMatch = `no matching key was found for the provided ${title} transformer`;
  return (observer) => ({
    prefix: `k8s:enc:${name}:v1:`,
    transformer: new PrefixTransformers(transformers, noMatch, observer),
  });
}
