// The part of a kubeconfig file that says where a server stands and with which credentials it is asked: what webhooks
// of audit, authentication and authorization are configured by.

import { Buffer } from 'node:buffer';
import { dirname } from 'node:path';
import type { Json } from '../api/object.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import {
  at,
  clusterFaults,
  connectionFault,
  type KubeconfigFiles,
  kubeconfigFault,
  listOf,
  NO_CONFIGURATION,
  pathIn,
  text,
  unknownContext,
  userFaults,
} from './kubeconfig-faults.ts';
import type { WebhookCredentials, WebhookUsers } from './webhook-call.ts';

export interface KubeconfigTarget extends WebhookCredentials {
  /** With scheme and host, perhaps a path. */
  readonly server: string;
  /** PEM of the authorities that vouch for it; undefined: those that the system trusts. */
  readonly ca: string | undefined;
  /** Whether any certificate will do. */
  readonly isInsecure: boolean;
  /** The name that its certificate must be for, where that is not its host. */
  readonly tlsServerName: string | undefined;
}

/**
 * Reads the current context of a kubeconfig file.
 * @param readText reads a file. @throws the system's error
 * @throws Error whose message says what is wrong
 */
export async function readKubeconfig(path: string, readText: (path: string) => string): Promise<KubeconfigTarget> {
  if (path === '') throw new Error(NO_CONFIGURATION);
  const config = await parseKubeconfig(path, readText);
  const files = { folder: dirname(path), readText };
  const current = text(config, 'current-context');
  const context = kubeconfigEntry(config, 'context', current);
  if (current !== '' && context === undefined) throw new Error(unknownContext(current));
  const names = { user: text(context, 'user'), cluster: text(context, 'cluster') };
  const [user, cluster] = (['user', 'cluster'] as const).map((kind) => kubeconfigEntry(config, kind, names[kind]));
  const faults = [...userFaults(user, names.user, files), ...clusterFaults(cluster, names.cluster, files)];
  if (faults.length > 0) throw new Error(`invalid configuration: ${listOf(faults)}`);
  const unusable = connectionFault(cluster, user, files);
  if (unusable !== undefined) throw new Error(unusable);
  return targetOf(cluster, user, files);
}

/** Reads a kubeconfig file as it stands. @throws Error whose message says what is wrong */
export async function parseKubeconfig(path: string, readText: (path: string) => string): Promise<Json> {
  return parse(path, readKubeconfigFile(path, readText));
}

/**
 * The server and credentials of one context.
 * @param context the context itself, not its name
 * @throws Error whose message says what is wrong
 */
export function kubeconfigTarget(config: Json, context: Json | undefined, files: KubeconfigFiles): KubeconfigTarget {
  const cluster = named(config, 'cluster', text(context, 'cluster'));
  const user = named(config, 'user', text(context, 'user'));
  if (text(cluster, 'server') === '') throw new Error('invalid configuration: cluster has no server defined');
  return targetOf(cluster, user, files);
}

function targetOf(cluster: Json | undefined, user: Json | undefined, files: KubeconfigFiles): KubeconfigTarget {
  return {
    server: text(cluster, 'server'),
    ca: fileOrData(cluster, 'certificate-authority', files),
    isInsecure: at(cluster, 'insecure-skip-tls-verify') === true,
    tlsServerName: text(cluster, 'tls-server-name') || undefined,
    ...credentialsOf(user, files),
  };
}

/**
 * Reads the users of a kubeconfig file as credentials for webhooks: each is named after the host and port that it is
 * for, or `*.example.com:8443`, both also without the port 443; `*` is for all others, and after that the user of the
 * current context.
 * @param readText reads a file. @throws the system's error
 * @throws Error whose message says what is wrong
 */
export async function readWebhookUsers(path: string, readText: (path: string) => string): Promise<WebhookUsers> {
  const config = await parseKubeconfig(path, readText);
  const files = { folder: dirname(path), readText };
  const entries = at(config, 'users');
  const users = new Map<string, WebhookCredentials>();
  for (const entry of Array.isArray(entries) ? entries : []) {
    users.set(text(entry, 'name'), credentialsOf(at(entry, 'user'), files));
  }
  const context = kubeconfigEntry(config, 'context', text(config, 'current-context'));
  const usual = users.get('*') ?? users.get(text(context, 'user'));
  return (target) => {
    const names = [target, ...(target.endsWith(':443') ? [target.slice(0, -':443'.length)] : [])];
    const found = names.flatMap(namesFor).find((name) => users.has(name));
    return found === undefined ? usual : users.get(found);
  };
}

/** A name, then with `*` for its first label, its first two, and so on. */
function namesFor(target: string): string[] {
  const labels = target.split('.');
  return [target, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

/** @throws Error of a user that can't be used */
function credentialsOf(user: Json | undefined, files: KubeconfigFiles): WebhookCredentials {
  const cert = fileOrData(user, 'client-certificate', files);
  const key = fileOrData(user, 'client-key', files);
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('invalid configuration: client-certificate and client-key must be given together');
  }
  return {
    clientCertificate: cert === undefined || key === undefined ? undefined : { cert, key },
    authorization: authorization(user, files),
  };
}

function readKubeconfigFile(path: string, readText: (path: string) => string): string {
  try {
    return readText(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(code === 'ENOENT' ? `stat ${path}: no such file or directory` : message, { cause: error });
  }
}

async function parse(path: string, source: string): Promise<Json> {
  try {
    const { value } = await parseYaml(source);
    const fault = kubeconfigFault(value);
    if (fault === undefined) return value;
    throw new Error(`error loading config file ${JSON.stringify(path)}: ${fault}`);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new Error(`error loading config file ${JSON.stringify(path)}: ${error.message}`, { cause: error });
  }
}

/** An entry that a context names; undefined where it names none. @throws Error where it names one that is not there */
function named(config: Json, member: string, name: string): Json | undefined {
  if (name === '') return undefined;
  const found = kubeconfigEntry(config, member, name);
  if (found === undefined) throw new Error(`invalid configuration: ${member} ${JSON.stringify(name)} was not found`);
  return found;
}

/** The entry of a name in the list of clusters, users or contexts: `member` is `cluster`, `user` or `context`. */
export function kubeconfigEntry(config: Json, member: string, name: string): Json | undefined {
  const entries = at(config, `${member}s`);
  if (!Array.isArray(entries)) return undefined;
  const entry = entries.find((each) => text(each, 'name') === name);
  return entry === undefined ? undefined : (at(entry, member) ?? {});
}

/** `name-data` in base64, or the content of the file `name`. */
function fileOrData(from: Json | undefined, name: string, { folder, readText }: KubeconfigFiles): string | undefined {
  const data = text(from, `${name}-data`);
  if (data !== '') return Buffer.from(data, 'base64').toString();
  const path = text(from, name);
  return path === '' ? undefined : readText(pathIn(folder, path));
}

function authorization(user: Json | undefined, { folder, readText }: KubeconfigFiles): () => string | undefined {
  for (const plugin of ['exec', 'auth-provider']) {
    if (at(user, plugin) !== undefined)
      throw new Error(`invalid configuration: users with ${plugin} are not supported`);
  }
  const tokenFile = text(user, 'tokenFile');
  if (tokenFile !== '') {
    const path = pathIn(folder, tokenFile);
    readText(path);
    return () => `Bearer ${readText(path).trim()}`;
  }
  const token = text(user, 'token');
  if (token !== '') return () => `Bearer ${token}`;
  const [name, password] = [text(user, 'username'), text(user, 'password')];
  if (name === '' && password === '') return () => undefined;
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  return () => `Basic ${basic}`;
}
