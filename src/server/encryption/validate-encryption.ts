// Validation of an EncryptionConfiguration, with kube-apiserver's messages and order. Keys are never shown.

import { formatGoDuration } from '../../base/go-duration.ts';
import { parseUrl } from '../../cel/library/url.ts';
import type { EncryptionConfiguration, KeyedProvider, KmsProvider, ProviderRule } from './encryption-configuration.ts';

const AES_KEY_BYTES = [16, 24, 32];
const SECRETBOX_KEY_BYTES = [32];
/** Resources that are stored but have no REST API. */
const WITHOUT_API = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

/** @param reload whether the file is reloaded when it changes @returns each error as `path: message` */
export function encryptionProblems({ resources }: EncryptionConfiguration, reload: boolean): string[] {
  if (resources.length === 0) return [required('resources', 'at least one resources is required')];
  const kmsNames = new Set<string>();
  return resources.flatMap((rule, index) => {
    const at = `resources[${index}].resources`;
    const providersAt = `resources[${index}].providers`;
    return [
      ...(rule.resources.length === 0 ? [required(at, `at least one ${at} is required`)] : []),
      ...overlapProblems(rule.resources, at),
      ...rule.resources.flatMap((name, each) => resourceProblem(name, `${at}[${each}]`) ?? []),
      ...(rule.providers.length === 0 ? [required(providersAt, `at least one ${providersAt} is required`)] : []),
      ...rule.providers.flatMap((provider, each) => [
        ...providerProblems(provider, `${providersAt}[${each}]`),
        ...contentProblems(provider, `${providersAt}[${each}]`, { kmsNames, reload }),
      ]),
    ];
  });
}

function required(path: string, detail: string): string {
  return `${path}: Required value: ${detail}`;
}

function invalid(path: string, value: unknown, detail: string): string {
  return `${path}: Invalid value: ${JSON.stringify(value)}: ${detail}`;
}

/** The group of a resource of an encryption configuration: `apps` of `deployments.apps`. */
export function groupOf(resource: string): string {
  const dot = resource.indexOf('.');
  return dot < 0 ? '' : resource.slice(dot + 1);
}

function overlapProblems(resources: readonly string[], path: string): string[] {
  const parsed = resources.map((each) => ({
    group: groupOf(each),
    resource: each.slice(0, each.indexOf('.') < 0 ? undefined : each.indexOf('.')),
  }));
  const same = (one: { group: string; resource: string }, other: { group: string; resource: string }): boolean =>
    one.group === other.group && one.resource === other.resource;
  let hasDuplicate = false;
  let hasOverlap = false;
  for (const [index, one] of parsed.entries()) {
    for (const [at, other] of parsed.entries()) {
      if (index === at) continue;
      if (same(one, other) && !hasDuplicate) {
        hasDuplicate = true;
        continue;
      }
      const isAll = one.group === '*' && one.resource === '*';
      const isWildcard = one.group === other.group && (one.resource === '*' || other.resource === '*');
      hasOverlap ||= isAll || isWildcard;
    }
  }
  return [
    ...(hasDuplicate ? [invalid(path, resources, 'the same resource cannot be specified multiple times')] : []),
    ...(hasOverlap
      ? [
          invalid(
            path,
            resources,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they " +
              'will be masked',
          ),
        ]
      : []),
  ];
}

function resourceProblem(name: string, path: string): string | undefined {
  const group = groupOf(name);
  if (name.toLowerCase() !== name) return invalid(path, name, 'resource name should not contain capital letters');
  if (name === '*') {
    const detail = "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
    return invalid(path, name, detail);
  }
  if (WITHOUT_API.includes(name)) {
    return invalid(path, name, 'resources which do not have REST API/s cannot be encrypted');
  }
  if (group === 'events.k8s.io') {
    const detail =
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
    return invalid(path, name, detail);
  }
  if (group === 'extensions') {
    return invalid(path, name, "'extensions' group has been removed and cannot be used for encryption");
  }
  if (group === '*' && name !== '*.*') {
    return invalid(path, name, 'encrypting the same resource across groups is not supported');
  }
  return undefined;
}

function providerProblems(provider: ProviderRule, path: string): string[] {
  const found = Object.keys(provider).length;
  if (found === 1) return [];
  const detail =
    found === 0
      ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
      : 'more than one provider specified in a single element, should split into different list elements';
  return [invalid(path, shown(provider), detail)];
}

/** A provider formatted as in kube-apiserver, without its secrets. */
function shown({ aesgcm, aescbc, secretbox, identity, kms }: ProviderRule): unknown {
  const keys = (provider: KeyedProvider | undefined) =>
    provider === undefined
      ? null
      : { Keys: provider.keys?.map(({ name, secret }) => ({ Name: name, Secret: secret && 'REDACTED' })) ?? null };
  return {
    AESGCM: keys(aesgcm),
    AESCBC: keys(aescbc),
    Secretbox: keys(secretbox),
    Identity: identity ?? null,
    KMS: kms === undefined ? null : shownKms(kms),
  };
}

function shownKms({ apiVersion, name, cachesize, endpoint, timeout }: KmsProvider): unknown {
  const [CacheSize, Timeout] = [cachesize ?? null, formatGoDuration(timeout)];
  return { APIVersion: apiVersion, Name: name, CacheSize, Endpoint: endpoint, Timeout };
}

interface Seen {
  readonly kmsNames: Set<string>;
  readonly reload: boolean;
}

function contentProblems({ kms, aesgcm, aescbc, secretbox }: ProviderRule, path: string, seen: Seen): string[] {
  if (kms !== undefined) {
    const problems = kmsProblems(kms, `${path}.kms`, seen);
    seen.kmsNames.add(kms.name);
    return problems;
  }
  if (aesgcm !== undefined) return keysProblems(aesgcm, `${path}.aesgcm.keys`, AES_KEY_BYTES);
  if (aescbc !== undefined) return keysProblems(aescbc, `${path}.aescbc.keys`, AES_KEY_BYTES);
  if (secretbox !== undefined) return keysProblems(secretbox, `${path}.secretbox.keys`, SECRETBOX_KEY_BYTES);
  return [];
}

function keysProblems({ keys = [] }: KeyedProvider, path: string, lengths: readonly number[]): string[] {
  if (keys.length === 0) return [required(path, 'at least one keys is required')];
  return keys.flatMap(({ name, secret }, index) => [
    ...(name === '' ? [required(`${path}[${index}].name`, 'name is a mandatory field for a key')] : []),
    ...secretProblems(secret, `${path}[${index}].secret`, lengths),
  ]);
}

function secretProblems(secret: string, path: string, lengths: readonly number[]): string[] {
  if (secret === '') return [required(path, 'secret is a mandatory field for a key')];
  const bytes = decodeSecret(secret);
  if (bytes === undefined) return [invalid(path, 'REDACTED', 'secrets must be base64 encoded')];
  if (lengths.includes(bytes.length)) return [];
  const detail = `secret is not of the expected length, got ${bytes.length}, expected one of [${lengths.join(' ')}]`;
  return [invalid(path, 'REDACTED', detail)];
}

/** The bytes of a secret in standard base64 with padding, ignoring line breaks as Go does; undefined if invalid. */
export function decodeSecret(secret: string): Buffer | undefined {
  const text = secret.replaceAll(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

function kmsProblems(kms: KmsProvider, path: string, { kmsNames, reload }: Seen): string[] {
  const { apiVersion, name, cachesize, endpoint, timeout } = kms;
  const problems: string[] = [];
  const isV1 = apiVersion === 'v1';
  if (name === '') problems.push(required(`${path}.name`, 'name is a mandatory field for a provider'));
  if (!isV1 && name.includes(':')) {
    problems.push(invalid(`${path}.name`, name, `invalid KMS provider name ${name}, must not contain ':'`));
  }
  if ((reload || !isV1) && kmsNames.has(name)) {
    problems.push(invalid(`${path}.name`, name, `duplicate KMS provider name ${name}, names must be unique`));
  }
  if (timeout <= 0) {
    problems.push(invalid(`${path}.timeout`, formatGoDuration(timeout), 'timeout should be a positive value'));
  }
  problems.push(...endpointProblems(endpoint, `${path}.endpoint`));
  if (!isV1 && cachesize !== undefined) {
    problems.push(invalid(`${path}.cachesize`, cachesize, 'cachesize is not supported in v2'));
  }
  if (isV1 && cachesize === 0) {
    problems.push(invalid(`${path}.cachesize`, 0, 'cachesize should be a positive value, or negative to disable'));
  }
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    const detail = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    problems.push(invalid(`${path}.apiVersion`, apiVersion, detail));
  }
  return problems;
}

function endpointProblems(endpoint: string, path: string): string[] {
  if (endpoint === '') return [invalid(path, '', 'endpoint is a mandatory field for a kms')];
  const parsed = parseUrl(endpoint);
  if (typeof parsed === 'string')
    return [invalid(path, endpoint, `invalid endpoint for kms provider, error: ${parsed}`)];
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'unix') return [];
  const detail = `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
  return [invalid(path, endpoint, detail)];
}
