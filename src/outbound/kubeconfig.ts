// Reader of kubeconfig files: the server and credentials of a context, by which webhooks of audit, authentication and
// authorization are configured.

import { Buffer } from 'node:buffer';
import { dirname, isAbsolute, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Json, JsonObject } from '../api/object.ts';
import { parseYaml, YamlError } from '../api/yaml-reader.ts';
import { goQuote } from '../base/go-quote.ts';
import { percentEncoded } from '../base/percent-escapes.ts';
import { type ExecPlugin, execPlugin, execPluginFault } from './exec-plugin.ts';
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
import type { ClientCertificate, WebhookCredentials, WebhookUsers } from './webhook-call.ts';

export interface KubeconfigTarget extends WebhookCredentials {
  /** With scheme, host and optional path. */
  readonly server: string;
  /** PEM of its CAs; undefined for the system's. */
  readonly ca: string | undefined;
  /** Whether its certificate is not verified. */
  readonly isInsecure: boolean;
  /** The server name in its certificate, if it differs from the host. */
  readonly tlsServerName: string | undefined;
  /** Its proxy. */
  readonly proxy?: URL | undefined;
}

/**
 * Reads the current context of a kubeconfig file.
 * @param readText reads a file; throws system errors
 * @throws Error whose message describes the problem
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

/** Parses a kubeconfig file. @throws Error whose message describes the problem */
export async function parseKubeconfig(path: string, readText: (path: string) => string): Promise<Json> {
  return parse(path, readKubeconfigFile(path, readText));
}

/**
 * The server and credentials of one context.
 * @param context the context itself, not its name
 * @throws Error whose message describes the problem
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
    proxy: URL.parse(text(cluster, 'proxy-url')) ?? undefined,
    ...(isSecure(text(cluster, 'server')) ? credentialsOf(user, files, cluster) : { ...NOBODY, ...actingAs(user) }),
  };
}

/**
 * Reads the users of a kubeconfig file as credentials for webhooks: each is named after the host and port that it is
 * for, or `*.example.com:8443`, both optionally without the port 443; `*` matches all others, and the user of the
 * current context is the last resort.
 * @param readText reads a file; throws system errors
 * @throws Error whose message describes the problem
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

const NOBODY: WebhookCredentials = { authorization: () => undefined, clientCertificate: () => undefined };

/** Credentials are only sent over TLS. A server without a scheme has no TLS. */
function isSecure(server: string): boolean {
  return /^https:/i.test(server);
}

/** @throws Error for an unusable user */
function credentialsOf(user: Json | undefined, files: KubeconfigFiles, cluster?: Json): WebhookCredentials {
  const cert = fileOrData(user, 'client-certificate', files);
  const key = fileOrData(user, 'client-key', files);
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('invalid configuration: client-certificate and client-key must be given together');
  }
  for (const [what, pem] of Object.entries({ certificate: cert, key })) {
    if (pem?.includes('-----BEGIN ') === false) throw new Error(`tls: failed to find any PEM data in ${what} input`);
  }
  return {
    clientCertificate: clientCertificate(
      cert === undefined || key === undefined ? undefined : { cert, key },
      user,
      files,
    ),
    authorization: authorization(user, files),
    ...actingAs(user),
    plugin: pluginOf(user, files, cluster),
  };
}

function readKubeconfigFile(path: string, readText: (path: string) => string): string {
  try {
    return readText(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault =
      code === 'ENOENT'
        ? `stat ${path}: no such file or directory`
        : `error loading config file ${goQuote(path)}: ${message}`;
    throw new Error(fault, { cause: error });
  }
}

async function parse(path: string, source: string): Promise<Json> {
  try {
    const { value } = await parseYaml(source);
    const fault = kubeconfigFault(value);
    if (fault === undefined) return value;
    throw new Error(`error loading config file ${goQuote(path)}: ${fault}`);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new Error(`error loading config file ${goQuote(path)}: ${error.message}`, { cause: error });
  }
}

/** The entry with the name in a context; undefined for no name. @throws Error if it does not exist */
function named(config: Json, member: string, name: string): Json | undefined {
  if (name === '') return undefined;
  const found = kubeconfigEntry(config, member, name);
  if (found === undefined) throw new Error(`invalid configuration: ${member} ${JSON.stringify(name)} was not found`);
  return found;
}

/** An entry by name in the list of clusters, users or contexts: `member` is `cluster`, `user` or `context`. */
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

/** A pair that is replaced in its files is used from then on, as soon as both parts belong together. */
function clientCertificate(
  first: ClientCertificate | undefined,
  user: Json | undefined,
  files: KubeconfigFiles,
): () => ClientCertificate | undefined {
  const isInFiles = ['client-certificate', 'client-key'].some((name) => text(user, `${name}-data`) === '');
  if (first === undefined || !isInFiles) return () => first;
  let last = first;
  return () => {
    try {
      const cert = fileOrData(user, 'client-certificate', files) ?? '';
      const key = fileOrData(user, 'client-key', files) ?? '';
      if (cert === last.cert && key === last.key) return last;
      createSecureContext({ cert, key });
      last = { cert, key };
    } catch {
      // The previous one may still be valid.
    }
    return last;
  };
}

function authorization(user: Json | undefined, { folder, readText }: KubeconfigFiles): () => string | undefined {
  if (at(user, 'auth-provider') !== undefined) throw new Error('auth provider not supported');
  const token = text(user, 'token');
  const tokenFile = text(user, 'tokenFile');
  if (tokenFile !== '') {
    const path = pathIn(folder, tokenFile);
    let last = token === '' ? readText(path).trim() : token;
    return () => {
      try {
        last = readText(path).trim() || last;
      } catch {
        // The previous one may still be valid.
      }
      return `Bearer ${last}`;
    };
  }
  if (token !== '') return () => `Bearer ${token}`;
  const [name, password] = [text(user, 'username'), text(user, 'password')];
  if (name === '' && password === '') return () => undefined;
  const basic = Buffer.from(`${name}:${password}`).toString('base64');
  return () => `Basic ${basic}`;
}

/** The headers for impersonation. */
function actingAs(user: Json | undefined): Pick<WebhookCredentials, 'impersonation'> {
  const name = text(user, 'as');
  if (name === '') return {};
  const impersonation: Record<string, string | string[]> = { 'impersonate-user': name };
  const uid = text(user, 'as-uid');
  if (uid !== '') impersonation['impersonate-uid'] = uid;
  const groups = textsIn(at(user, 'as-groups'));
  if (groups.length > 0) impersonation['impersonate-group'] = groups;
  for (const [key, values] of Object.entries((at(user, 'as-user-extra') ?? {}) as JsonObject)) {
    const escaped = Buffer.from(key, 'utf8').toString('latin1').replace(NOT_IN_NAMES, percentEncoded);
    impersonation[`impersonate-extra-${escaped}`] = textsIn(values);
  }
  return { impersonation };
}

/** Characters that are not allowed in header names, and the escape character. */
const NOT_IN_NAMES = /[^!#$&'*+\-.^_`|~0-9A-Za-z]/g;

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const EXTENSION = 'client.authentication.k8s.io/exec';

/** @throws Error for an unusable plugin */
function pluginOf(user: Json | undefined, files: KubeconfigFiles, cluster: Json | undefined): ExecPlugin | undefined {
  const plugin = at(user, 'exec');
  if (plugin === undefined || plugin === null) return undefined;
  const fault = execPluginFault(plugin);
  if (fault !== undefined) throw new Error(fault);
  const command = text(plugin, 'command');
  const isRelative = command.includes('/') && !isAbsolute(command);
  const placed = { ...(plugin as JsonObject), command: isRelative ? join(files.folder, command) : command };
  return execPlugin(placed, { now: Date.now, cluster: cluster === undefined ? undefined : toldOf(cluster, files) });
}

/** The cluster information for a plugin. */
function toldOf(cluster: Json, files: KubeconfigFiles): JsonObject {
  const ca = fileOrData(cluster, 'certificate-authority', files);
  const extensions = at(cluster, 'extensions');
  const own = Array.isArray(extensions) ? extensions.find((each) => text(each, 'name') === EXTENSION) : undefined;
  const config = at(own, 'extension');
  const [serverName, proxy] = [text(cluster, 'tls-server-name'), text(cluster, 'proxy-url')];
  return {
    server: text(cluster, 'server'),
    ...(serverName === '' ? {} : { 'tls-server-name': serverName }),
    ...(at(cluster, 'insecure-skip-tls-verify') === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxy === '' ? {} : { 'proxy-url': proxy }),
    ...(at(cluster, 'disable-compression') === true ? { 'disable-compression': true } : {}),
    config: config ?? null,
  };
}
