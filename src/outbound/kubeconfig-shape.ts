// The types of a kubeconfig's members, and what is told of those that are of another: Go's words for JSON.

import { jsonWord } from '../api/go-text.ts';
import type { Json } from '../api/object.ts';

/** A type by its name in Go, or a struct of which each member is told by the struct's name. */
type Shape = 'string' | 'bool' | '[]uint8' | { readonly list: Shape } | { readonly map: Shape } | Struct;

interface Struct {
  readonly struct: string;
  readonly fields: Readonly<Record<string, Shape>>;
}

const texts = (...names: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, name.endsWith('-data') ? '[]uint8' : 'string']));

const EXEC: Struct = {
  struct: 'ExecConfig',
  fields: {
    ...texts('command', 'apiVersion', 'installHint', 'interactiveMode'),
    args: { list: 'string' },
    env: { list: { struct: 'ExecEnvVar', fields: texts('name', 'value') } },
    provideClusterInfo: 'bool',
  },
};

const USER: Struct = {
  struct: 'AuthInfo',
  fields: {
    ...texts('client-certificate', 'client-certificate-data', 'client-key', 'client-key-data', 'token', 'tokenFile'),
    ...texts('as', 'as-uid', 'username', 'password'),
    'as-groups': { list: 'string' },
    'as-user-extra': { map: { list: 'string' } },
    'auth-provider': { struct: 'AuthProviderConfig', fields: { name: 'string', config: { map: 'string' } } },
    exec: EXEC,
  },
};

const CLUSTER: Struct = {
  struct: 'Cluster',
  fields: {
    ...texts('server', 'tls-server-name', 'certificate-authority', 'certificate-authority-data', 'proxy-url'),
    'insecure-skip-tls-verify': 'bool',
    'disable-compression': 'bool',
  },
};

const named = (struct: string, name: string, shape: Struct): Shape => ({
  list: { struct, fields: { name: 'string', [name]: shape } },
});

const CONFIG: Struct = {
  struct: 'Config',
  fields: {
    clusters: named('NamedCluster', 'cluster', CLUSTER),
    users: named('NamedAuthInfo', 'user', USER),
    contexts: named('NamedContext', 'context', { struct: 'Context', fields: texts('cluster', 'user', 'namespace') }),
    'current-context': 'string',
  },
};

/** The first member that is of another type than its own; undefined where there is none. */
export function kubeconfigTypeFault(config: Json): string | undefined {
  return structFault(config, CONFIG, '');
}

function structFault(value: Json, { struct, fields }: Struct, path: string): string | undefined {
  for (const [name, member] of Object.entries(value as Readonly<Record<string, Json>>)) {
    const shape = fields[name];
    if (shape === undefined || member === null) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const fault = faultOf(member, shape, { struct, at });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Place {
  /** The struct that the member stands in. */
  readonly struct: string;
  readonly at: string;
}

function faultOf(value: Json, shape: Shape, place: Place): string | undefined {
  if (!isOf(value, shape)) {
    return `json: cannot unmarshal ${jsonWord(value)} into Go struct field ${place.struct}.${place.at} of type ${goType(shape)}`;
  }
  if (typeof shape === 'string') return undefined;
  if ('struct' in shape) return structFault(value, shape, place.at);
  const inner = 'list' in shape ? shape.list : shape.map;
  for (const each of Object.values(value as object) as Json[]) {
    const fault = each === null ? undefined : faultOf(each, inner, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isOf(value: Json, shape: Shape): boolean {
  if (shape === 'bool') return typeof value === 'boolean';
  if (typeof shape === 'string') return typeof value === 'string';
  return 'list' in shape ? Array.isArray(value) : typeof value === 'object' && !Array.isArray(value);
}

function goType(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  if ('struct' in shape) return `v1.${shape.struct}`;
  return 'list' in shape ? `[]${goType(shape.list)}` : `map[string]${goType(shape.map)}`;
}
