// Validation of the server and the credentials in a kubeconfig before use: the checks of client-go, with its messages
// and order.

import { Buffer } from 'node:buffer';
import { isAbsolute, join } from 'node:path';
import { isObject } from '../api/is-object.ts';
import { notAnObject } from '../api/not-an-object.ts';
import type { Json } from '../api/object.ts';
import { unregisteredKind } from '../api/unregistered-kind.ts';
import { goQuote } from '../base/go-quote.ts';
import { kubeconfigTypeFault } from './kubeconfig-shape.ts';

export interface KubeconfigFiles {
  /** The base of relative paths. */
  readonly folder: string;
  readonly readText: (path: string) => string;
}

const EMPTY = 'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';
/** The error for a file without a server. */
export const NO_CONFIGURATION = `invalid configuration: ${EMPTY}`;
/** The error for a current context that does not exist. */
export function unknownContext(name: string): string {
  const faults = [`context was not found for specified context: ${name}`, 'cluster has no server defined'];
  return `invalid configuration: ${listOf(faults)}`;
}

/** Why a file is not a valid kubeconfig. */
export function kubeconfigFault(config: Json): string | undefined {
  if (config !== null && (typeof config !== 'object' || Array.isArray(config))) return notAnObject(config);
  const [apiVersion, kind] = [text(config, 'apiVersion') || 'v1', text(config, 'kind') || 'Config'];
  if (apiVersion !== 'v1' || kind !== 'Config') return unregisteredKind(kind, apiVersion);
  return config === null ? undefined : kubeconfigTypeFault(config);
}

/** @param name of the user in the context */
export function userFaults(user: Json | undefined, name: string, files: KubeconfigFiles): string[] {
  if (user === undefined) return [];
  const methods = text(user, 'token') === '' ? [] : ['token'];
  if (text(user, 'username') !== '' || text(user, 'password') !== '') methods.push('basicAuth');
  const faults = [...certificateFaults(user, name, files), ...execFaults(user, name)];
  if (methods.length > 1) {
    faults.push(
      `more than one authentication method found for ${name}; found [${methods.join(' ')}], only one is allowed`,
    );
  }
  const isMore = ['as-uid', 'as-groups', 'as-user-extra'].some((member) => isGiven(at(user, member)));
  if (isMore && text(user, 'as') === '') {
    faults.push(`requesting uid, groups or user-extra for ${name} without impersonating a user`);
  }
  return faults;
}

/** @param name of the cluster in the context */
export function clusterFaults(cluster: Json | undefined, name: string, files: KubeconfigFiles): string[] {
  if (cluster === undefined) return [EMPTY];
  const faults: string[] = [];
  if (text(cluster, 'server') === '') {
    faults.push(name === '' ? 'default cluster has no server defined' : `no server found for cluster ${goQuote(name)}`);
  }
  const proxy = text(cluster, 'proxy-url');
  const proxyFault = proxy === '' ? undefined : proxyUrlFault(proxy);
  if (proxyFault !== undefined) {
    faults.push(`invalid 'proxy-url' ${goQuote(proxy)} for cluster ${goQuote(name)}: ${proxyFault}`);
  }
  const authority = text(cluster, 'certificate-authority');
  if (authority === '') return faults;
  if (text(cluster, 'certificate-authority-data') !== '') {
    const both = `certificate-authority-data and certificate-authority are both specified for ${name}`;
    return [...faults, `${both}. certificate-authority-data will override.`];
  }
  const why = unreadable(authority, files);
  return why === undefined ? faults : [...faults, `unable to read certificate-authority ${why(name)}`];
}

/** Why connections cannot be opened although the file is valid. */
export function connectionFault(
  cluster: Json | undefined,
  user: Json | undefined,
  { folder, readText }: KubeconfigFiles,
): string | undefined {
  const provider = at(user, 'auth-provider');
  if (provider !== undefined) return `no Auth Provider found for name ${goQuote(text(provider, 'name'))}`;
  const data = text(cluster, 'certificate-authority-data');
  const file = text(cluster, 'certificate-authority');
  if (data === '' && file === '') return undefined;
  if (at(cluster, 'insecure-skip-tls-verify') === true) {
    return 'specifying a root certificates file with the insecure flag is not allowed';
  }
  const pem = data === '' ? readText(pathIn(folder, file)) : Buffer.from(data, 'base64').toString();
  return pem.includes('-----BEGIN CERTIFICATE-----')
    ? undefined
    : 'unable to load root certificates: unable to parse bytes as PEM block';
}

/** Several errors as one text; a single one stands alone. */
export function listOf(faults: readonly string[]): string {
  return faults.length === 1 ? faults[0]! : `[${faults.join(', ')}]`;
}

export function pathIn(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function certificateFaults(user: Json, name: string, files: KubeconfigFiles): string[] {
  const [cert, certData] = [text(user, 'client-certificate'), text(user, 'client-certificate-data')];
  const [key, keyData] = [text(user, 'client-key'), text(user, 'client-key-data')];
  if (cert === '' && certData === '') return [];
  const faults: string[] = [];
  if (cert !== '' && certData !== '') {
    faults.push(`client-cert-data and client-cert are both specified for ${name}. client-cert-data will override.`);
  }
  if (key !== '' && keyData !== '') {
    faults.push(`client-key-data and client-key are both specified for ${name}; client-key-data will override`);
  }
  if (key === '' && keyData === '') {
    faults.push(
      `client-key-data or client-key must be specified for ${name} to use the clientCert authentication method.`,
    );
  }
  if (cert !== '') faults.push(...unreadableOf('client-cert', cert, files).map((fault) => fault(name)));
  if (key !== '') faults.push(...unreadableOf('client-key', key, files).map((fault) => fault(name)));
  return faults;
}

function unreadableOf(what: string, path: string, files: KubeconfigFiles): ((name: string) => string)[] {
  const why = unreadable(path, files);
  return why === undefined ? [] : [(name) => `unable to read ${what} ${why(name)}`];
}

function unreadable(path: string, { folder, readText }: KubeconfigFiles): ((name: string) => string) | undefined {
  const whole = pathIn(folder, path);
  try {
    readText(whole);
    return undefined;
  } catch (error) {
    return (name) => `${whole} for ${name} due to ${(error as Error).message}`;
  }
}

function execFaults(user: Json, name: string): string[] {
  const exec = at(user, 'exec');
  if (exec === undefined) return [];
  const faults: string[] = [];
  const missing = (what: string) =>
    faults.push(`${what} must be specified for ${name} to use exec authentication plugin`);
  if (at(user, 'auth-provider') !== undefined) {
    faults.push(`authProvider cannot be provided in combination with an exec plugin for ${name}`);
  }
  if (text(exec, 'command') === '') missing('command');
  if (text(exec, 'apiVersion') === '') missing('apiVersion');
  const env = at(exec, 'env');
  for (const each of Array.isArray(env) ? env : []) if (text(each, 'name') === '') missing('env variable name');
  const isOptional = text(exec, 'apiVersion') === 'client.authentication.k8s.io/v1beta1';
  const mode = text(exec, 'interactiveMode') || (isOptional ? 'IfAvailable' : '');
  if (mode === '') missing('interactiveMode');
  else if (!['Never', 'IfAvailable', 'Always'].includes(mode)) {
    faults.push(`invalid interactiveMode for ${name}: ${goQuote(mode)}`);
  }
  return faults;
}

function proxyUrlFault(proxy: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(proxy)?.[1]?.toLowerCase();
  if (scheme === undefined && (proxy.startsWith(':') || !URL.canParse(proxy, 'http://x')))
    return `could not parse: ${proxy}`;
  if (scheme === 'http' || scheme === 'https' || scheme === 'socks5') return undefined;
  return `unsupported scheme ${goQuote(scheme ?? '')}, must be http, https, or socks5`;
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && Object.keys(value).length > 0;
}

export function at(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

export function text(value: Json | undefined, name: string): string {
  const found = at(value, name);
  return typeof found === 'string' ? found : '';
}
