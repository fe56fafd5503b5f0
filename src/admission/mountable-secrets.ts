// Secrets that a pod may use where its service account says that it uses no other than the account's own:
// the annotation kubernetes.io/enforce-mountable-secrets, a part of the plugin ServiceAccount.

import type { ApiObject, Json } from '../api/object.ts';
import { parseBool } from '../lifecycle/feature-gates.ts';
import { at, isObject, listAt, textAt } from '../resources/value.ts';

const ENFORCED = 'kubernetes.io/enforce-mountable-secrets';

/** What a list of containers is called in messages. */
const LISTS = [
  ['initContainers', 'init container'],
  ['containers', 'container'],
] as const;

/** Why a pod may not have the secrets that it names; undefined where it may, or where its account does not mind. */
export function refusedSecret(account: ApiObject | undefined, pod: ApiObject): string | undefined {
  if (account === undefined || !isEnforced(account)) return undefined;
  const mountable = namesOf(listAt(account, 'secrets'));
  for (const volume of listAt(pod, 'spec', 'volumes')) {
    const secret = secretOf(volume, 'secret', 'secretName');
    if (secret !== undefined && !mountable.has(secret)) return notAllowed(`volume with ${told(secret)}`, account);
  }
  for (const [list, what] of LISTS) {
    const found = refusedInContainers(listAt(pod, 'spec', list), mountable, what);
    if (found !== undefined) return notAllowed(found, account);
  }
  return refusedPullSecret(account, pod);
}

/** The same of containers that are added to a pod later. */
export function refusedEphemeralSecret(account: ApiObject | undefined, pod: ApiObject): string | undefined {
  if (account === undefined || !isEnforced(account)) return undefined;
  const containers = listAt(pod, 'spec', 'ephemeralContainers');
  const found = refusedInContainers(containers, namesOf(listAt(account, 'secrets')), 'ephemeral container');
  return found === undefined ? undefined : notAllowed(found, account);
}

function isEnforced({ metadata }: ApiObject): boolean {
  return parseBool(metadata.annotations?.[ENFORCED] ?? '') === true;
}

function namesOf(references: readonly Json[]): ReadonlySet<string> {
  return new Set(references.map((each) => textAt(each, 'name')));
}

function refusedInContainers(containers: readonly Json[], mountable: ReadonlySet<string>, what: string) {
  for (const container of containers) {
    const here = `${what} ${textAt(container, 'name')}`;
    for (const variable of listAt(container, 'env')) {
      const secret = secretOf(variable, 'valueFrom', 'secretKeyRef', 'name');
      if (secret === undefined || mountable.has(secret)) continue;
      return `${here} with envVar ${textAt(variable, 'name')} referencing ${told(secret)}`;
    }
    for (const source of listAt(container, 'envFrom')) {
      const secret = secretOf(source, 'secretRef', 'name');
      if (secret !== undefined && !mountable.has(secret)) return `${here} with envFrom referencing ${told(secret)}`;
    }
  }
  return undefined;
}

/** Undefined where no secret is meant. */
function secretOf(value: Json, ...path: string[]): string | undefined {
  const parent = at(value, ...path.slice(0, -1));
  return isObject(parent) ? textAt(parent, path.at(-1) as string) : undefined;
}

function told(secret: string): string {
  return `secret.secretName="${secret}"`;
}

function notAllowed(what: string, { metadata }: ApiObject): string {
  return `${what} is not allowed because service account ${metadata.name} does not reference that secret`;
}

function refusedPullSecret(account: ApiObject, pod: ApiObject): string | undefined {
  const own = namesOf(listAt(account, 'imagePullSecrets'));
  for (const [index, secret] of listAt(pod, 'spec', 'imagePullSecrets').entries()) {
    const name = textAt(secret, 'name');
    if (own.has(name)) continue;
    const why = `because service account ${account.metadata.name} does not reference that imagePullSecret`;
    return `imagePullSecrets[${index}].name="${name}" is not allowed ${why}`;
  }
  return undefined;
}
