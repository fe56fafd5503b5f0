// Usernames and groups of service accounts.

import { labelFaults, subdomainFaults } from '../api/names.ts';

const USER_PREFIX = 'system:serviceaccount:';
const ALL_ACCOUNTS = 'system:serviceaccounts';

interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `${USER_PREFIX}${namespace}:${name}`;
}

/** The service account of a username; undefined for other users, and for names that no service account can have. */
export function splitServiceAccount(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(USER_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(USER_PREFIX.length).split(':', 3);
  const isPossible = more.length === 0 && labelFaults(namespace).length === 0 && subdomainFaults(name).length === 0;
  return isPossible ? { namespace, name } : undefined;
}

/** The groups of all service accounts in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return [ALL_ACCOUNTS, `${ALL_ACCOUNTS}:${namespace}`];
}
