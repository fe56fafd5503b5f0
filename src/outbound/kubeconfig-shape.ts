// Types of a kubeconfig's fields, and the errors for wrong ones, in the words of Go's JSON decoder.

import { type GoShape, type GoStruct, goShapeFault } from '../api/go-shape.ts';
import type { Json } from '../api/object.ts';

const V1 = { package: 'v1' } as const;

const texts = (...names: readonly string[]): Record<string, GoShape> =>
  Object.fromEntries(names.map((name) => [name, name.endsWith('-data') ? 'bytes' : 'string']));

const EXEC: GoStruct = {
  ...V1,
  struct: 'ExecConfig',
  fields: {
    ...texts('command', 'apiVersion', 'installHint', 'interactiveMode'),
    args: { list: 'string' },
    env: { list: { ...V1, struct: 'ExecEnvVar', fields: texts('name', 'value') } },
    provideClusterInfo: 'bool',
  },
};

const USER: GoStruct = {
  ...V1,
  struct: 'AuthInfo',
  fields: {
    ...texts('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data', 'token', 'tokenFile'),
    ...texts('as', 'as-uid', 'username', 'password'),
    'as-groups': { list: 'string' },
    'as-user-extra': { map: { list: 'string' } },
    'auth-provider': { ...V1, struct: 'AuthProviderConfig', fields: { name: 'string', config: { map: 'string' } } },
    exec: EXEC,
  },
};

const CLUSTER: GoStruct = {
  ...V1,
  struct: 'Cluster',
  fields: {
    ...texts('server', 'tls-server-name', 'certificate-authority', 'certificate-authority-data', 'proxy-url'),
    'insecure-skip-tls-verify': 'bool',
    'disable-compression': 'bool',
  },
};

const named = (struct: string, name: string, shape: GoStruct): GoShape => ({
  list: { ...V1, struct, fields: { name: 'string', [name]: shape } },
});

const CONFIG: GoStruct = {
  ...V1,
  struct: 'Config',
  fields: {
    clusters: named('NamedCluster', 'cluster', CLUSTER),
    users: named('NamedAuthInfo', 'user', USER),
    contexts: named('NamedContext', 'context', {
      ...V1,
      struct: 'Context',
      fields: texts('cluster', 'user', 'namespace'),
    }),
    'current-context': 'string',
  },
};

/** The first field with a wrong type; undefined if there is none. */
export function kubeconfigTypeFault(config: Json): string | undefined {
  return goShapeFault(config, CONFIG);
}
