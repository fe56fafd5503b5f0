// Impersonation: the Impersonate- headers of a request, the permissions that they require, and the resulting user.

import type { AuthorizationAttributes } from './authz/authorizer.ts';
import { ExtraValues, unescapedExtraKey } from './extra-values.ts';
import { serviceAccountGroups, splitServiceAccount } from './service-account.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, type User } from './user.ts';

const PREFIX = 'impersonate-';
const EXTRA_PREFIX = 'impersonate-extra-';

export interface Impersonation {
  readonly userName: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Headers that impersonate attributes without a user. */
export class ImpersonationError extends Error {
  override name = 'ImpersonationError';
  readonly asked: Impersonation;

  constructor(asked: Impersonation) {
    super(`requested [${requested(asked).join(' ')}] without impersonating a user`);
    this.asked = asked;
  }
}

/** Whether there is any impersonation header. Names are in lower case. */
export function asksForImpersonation(headers: Readonly<Record<string, unknown>>): boolean {
  for (const name in headers) if (name.startsWith(PREFIX)) return true;
  return false;
}

/**
 * The impersonation in the headers; undefined for none.
 * @param names header names, in lower case
 * @param valuesOf all values of a header
 * @throws ImpersonationError
 */
export function readImpersonation(
  names: readonly string[],
  valuesOf: (name: string) => readonly string[],
): Impersonation | undefined {
  const userName = valuesOf('impersonate-user')[0] ?? '';
  const groups = valuesOf('impersonate-group');
  const uid = valuesOf('impersonate-uid')[0] ?? '';
  const gathered = new ExtraValues();
  for (const name of names) {
    if (name.startsWith(EXTRA_PREFIX)) gathered.add(unescapedExtraKey(name.slice(EXTRA_PREFIX.length)), valuesOf(name));
  }
  const extra = gathered.byKey();
  const asked = { userName, groups, uid, extra };
  if (userName !== '') return asked;
  if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return undefined;
  throw new ImpersonationError(asked);
}

/**
 * The impersonation as Go formats object references: kind, namespace, name, UID, version, resource version and path.
 */
function requested({ groups, extra, uid }: Impersonation): string[] {
  const version = 'authentication.k8s.io/v1';
  return [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`),
    ),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ];
}

/** The permissions that impersonation requires, one for each attribute. */
export function impersonationChecks(requester: User, asked: Impersonation): AuthorizationAttributes[] {
  const check = (
    group: string,
    resource: string,
    named: { name: string; namespace?: string; subresource?: string },
  ) => ({
    user: requester,
    verb: 'impersonate',
    isResourceRequest: true,
    path: '',
    group,
    // Kubernetes names no version of the core group here.
    version: group === '' ? '' : 'v1',
    resource,
    subresource: named.subresource ?? '',
    namespace: named.namespace ?? '',
    name: named.name,
  });
  const account = splitServiceAccount(asked.userName);
  const checks = [
    account === undefined ? check('', 'users', { name: asked.userName }) : check('', 'serviceaccounts', account),
  ];
  for (const name of asked.groups) checks.push(check('', 'groups', { name }));
  for (const [subresource, names] of Object.entries(asked.extra)) {
    for (const name of names) checks.push(check(AUTHENTICATION_GROUP, 'userextras', { name, subresource }));
  }
  if (asked.uid !== '') checks.push(check(AUTHENTICATION_GROUP, 'uids', { name: asked.uid }));
  return checks;
}

const AUTHENTICATION_GROUP = 'authentication.k8s.io';

/** The user of the request after all checks. */
export function impersonatedUser({ userName: name, groups, uid, extra }: Impersonation): User {
  const account = splitServiceAccount(name);
  const own = groups.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : groups;
  const everybody = name === ANONYMOUS ? UNAUTHENTICATED : AUTHENTICATED;
  const placed = own.includes(UNAUTHENTICATED) || own.includes(everybody);
  return { name, uid, groups: placed ? own : [...own, everybody], extra };
}
