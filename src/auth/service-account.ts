// Usernames and groups of service accounts.

const USER_PREFIX = 'system:serviceaccount:';
const ALL_ACCOUNTS = 'system:serviceaccounts';

interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `${USER_PREFIX}${namespace}:${name}`;
}

/** The service account of a username; undefined for other users. */
export function splitServiceAccount(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(USER_PREFIX)) return undefined;
  const [namespace = '', name = '', ...more] = userName.slice(USER_PREFIX.length).split(':');
  return namespace === '' || name === '' || more.length > 0 ? undefined : { namespace, name };
}

/** The groups of all service accounts in a namespace. */
export function serviceAccountGroups(namespace: string): string[] {
  return [ALL_ACCOUNTS, `${ALL_ACCOUNTS}:${namespace}`];
}
