// Secrets of pods whose service account restricts them to its own by the annotation
// kubernetes.io/enforce-mountable-secrets; part of the plugin ServiceAccount.

import type { ApiObject } from '../api/object.ts';
import { parseBool } from '../lifecycle/feature-gates.ts';
import type { ServiceAccount } from '../resources/builtin/core/config/objects.ts';
import type { Container } from '../resources/builtin/core/pod/container-objects.ts';
import type { PodSpec } from '../resources/builtin/core/pod/objects.ts';

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';

/** The names of container lists in messages. */
const LISTS = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
] as const;

/** Why a pod may not use the secrets that it names; undefined if it may, or if its account has no restriction. */
export function refusedSecret(account: ApiObject | undefined, pod: ApiObject): string | undefined {
  if (account === undefined || !isEnforced(account)) return undefined;
  const spec = specOf(pod);
  const mountable = namesOf(secretsOf(account).secrets);
  for (const { secret: source } of spec.volumes ?? []) {
    if (source === undefined) continue;
    const { secretName: secret = '' } = source;
    if (!mountable.has(secret)) return notAllowed(`volume with ${told(secret)}`, account);
  }
  for (const [list, what] of LISTS) {
    const found = refusedInContainers(spec[list] ?? [], mountable, what);
    if (found !== undefined) return notAllowed(found, account);
  }
  return refusedPullSecret(account, pod);
}

/** The same for ephemeral containers that are added later. */
export function refusedEphemeralSecret(account: ApiObject | undefined, pod: ApiObject): string | undefined {
  if (account === undefined || !isEnforced(account)) return undefined;
  const containers = specOf(pod).ephemeralContainers ?? [];
  const found = refusedInContainers(containers, namesOf(secretsOf(account).secrets), 'ephemeral container');
  return found === undefined ? undefined : notAllowed(found, account);
}

function isEnforced({ metadata }: ApiObject): boolean {
  return parseBool(metadata.annotations?.[ENFORCED] ?? '') === true;
}

/** A pod in admission has been decoded as a pod. */
function specOf(pod: ApiObject): PodSpec {
  return (pod['spec'] ?? {}) as PodSpec;
}

function secretsOf(account: ApiObject): Pick<ServiceAccount, 'secrets' | 'imagePullSecrets'> {
  return account as Pick<ServiceAccount, 'secrets' | 'imagePullSecrets'>;
}

function namesOf(references: readonly { readonly name?: string }[] | undefined): ReadonlySet<string> {
  return new Set((references ?? []).map(({ name = '' }) => name));
}

function refusedInContainers(
  containers: readonly Pick<Container, 'name' | 'env' | 'envFrom'>[],
  mountable: ReadonlySet<string>,
  what: string,
): string | undefined {
  for (const { name: container = '', env, envFrom } of containers) {
    const here = `${what} ${container}`;
    for (const { name = '', valueFrom } of env ?? []) {
      const secret = nameIn(valueFrom?.secretKeyRef);
      if (secret === undefined || mountable.has(secret)) continue;
      return `${here} with envVar ${name} referencing ${told(secret)}`;
    }
    for (const { secretRef } of envFrom ?? []) {
      const secret = nameIn(secretRef);
      if (secret !== undefined && !mountable.has(secret)) return `${here} with envFrom referencing ${told(secret)}`;
    }
  }
  return undefined;
}

/** Undefined if no secret is named. */
function nameIn(reference: { readonly name?: string } | undefined): string | undefined {
  return reference === undefined ? undefined : (reference.name ?? '');
}

function told(secret: string): string {
  return `secret.secretName="${secret}"`;
}

function notAllowed(what: string, { metadata }: ApiObject): string {
  return `${what} is not allowed because service account ${metadata.name} does not reference that secret`;
}

function refusedPullSecret(account: ApiObject, pod: ApiObject): string | undefined {
  const own = namesOf(secretsOf(account).imagePullSecrets);
  for (const [index, { name = '' }] of (specOf(pod).imagePullSecrets ?? []).entries()) {
    if (own.has(name)) continue;
    const why = `because service account ${account.metadata.name} does not reference that imagePullSecret`;
    return `imagePullSecrets[${index}].name="${name}" is not allowed ${why}`;
  }
  return undefined;
}
