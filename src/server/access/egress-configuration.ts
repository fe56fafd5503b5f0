// EgressSelectorConfiguration of apiserver.k8s.io: the proxies for outgoing connections, decoded and validated with
// kube-apiserver's messages.

import { existsSync } from 'node:fs';
import { type FieldError, fieldError } from '../../api/errors.ts';
import { isSince } from '../../lifecycle/version.ts';
import { ConfigurationError, type ConfigurationKind, decodeConfiguration } from '../configuration-file.ts';
import { readText } from '../files.ts';
import { fieldErrorsText } from './field-errors-text.ts';

/** Paths of PEM files, and the name in the proxy's certificate, which is that of the URL by default. */
export interface DeclaredTls {
  readonly caBundle?: string;
  readonly clientKey?: string;
  readonly clientCert?: string;
  readonly tlsServerName?: string;
}

interface DeclaredTransport {
  readonly tcp?: { readonly url?: string; readonly tlsConfig?: DeclaredTls };
  readonly uds?: { readonly udsName?: string };
}

/** How to connect to a network. */
export interface DeclaredConnection {
  readonly proxyProtocol?: string;
  readonly transport?: DeclaredTransport;
}

interface Selection {
  readonly name?: string;
  readonly connection?: DeclaredConnection;
}

/** The first minor release of Kubernetes 1 whose files may name the server of a certificate. */
const FIRST_WITH_SERVER_NAMES = 36;

const TLS_FIELDS = { caBundle: 'string', clientKey: 'string', clientCert: 'string' } as const;

const kindOf = (minor: number): ConfigurationKind => ({
  minor,
  kind: 'EgressSelectorConfiguration',
  group: 'apiserver.k8s.io',
  versions: ['v1beta1', 'v1alpha1'],
  fields: {
    egressSelections: {
      list: {
        name: 'EgressSelection',
        fields: {
          name: 'string',
          connection: {
            name: 'Connection',
            fields: {
              proxyProtocol: 'string',
              transport: {
                name: 'Transport',
                fields: {
                  tcp: {
                    name: 'TCPTransport',
                    fields: {
                      url: 'string',
                      tlsConfig: {
                        name: 'TLSConfig',
                        fields: isSince({ minor }, FIRST_WITH_SERVER_NAMES)
                          ? { ...TLS_FIELDS, tlsServerName: 'string' }
                          : TLS_FIELDS,
                      },
                    },
                  },
                  uds: { name: 'UDSTransport', fields: { udsName: 'string' } },
                },
              },
            },
          },
        },
      },
    },
  },
});

const NAMES = ['cluster', 'controlplane', 'etcd'];
const PROTOCOLS = ['Direct', 'HTTPConnect', 'GRPC'];
const AT = 'service.connection';

/**
 * The declarations of a file, by network.
 *
 * @param minor the minor release of Kubernetes 1 whose fields the file may have
 * @throws ConfigurationError with kube-apiserver's message
 */
export async function readEgressConfiguration(
  path: string,
  minor: number,
): Promise<ReadonlyMap<string, DeclaredConnection>> {
  const selections = await readSelections(path, minor);
  const errors = [...selections.flatMap((each) => connectionErrors(each)), ...nameErrors(selections)];
  if (errors.length > 0) {
    throw new ConfigurationError(`failed to validate egress selector configuration: ${fieldErrorsText(errors)}`);
  }
  return new Map(selections.map(({ name = '', connection = {} }) => [name.toLowerCase(), connection]));
}

async function readSelections(path: string, minor: number): Promise<readonly Selection[]> {
  try {
    const { egressSelections = [] } = (await decodeConfiguration(readSource(path), kindOf(minor))) as {
      egressSelections?: readonly Selection[];
    };
    return egressSelections.map((each) => (each.name === 'master' ? { ...each, name: 'controlplane' } : each));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed to read egress selector config: ${error.message}`, { cause: error });
  }
}

function readSource(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    const why = `unable to read egress selector configuration from ${JSON.stringify(path)} [${(error as Error).message}]`;
    throw new ConfigurationError(why, { cause: error });
  }
}

function nameErrors(selections: readonly Selection[]): FieldError[] {
  const seen = new Set<string>();
  return selections.flatMap(({ name = '' }, index) => {
    const canonical = name.toLowerCase();
    if (seen.has(canonical)) return [fieldError.duplicate(`${AT}[${index}]`, canonical)];
    seen.add(canonical);
    return NAMES.includes(canonical) ? [] : [fieldError.notSupported(AT, canonical, NAMES)];
  });
}

function connectionErrors({ connection = {} }: Selection): FieldError[] {
  const { proxyProtocol = '', transport } = connection;
  if (!PROTOCOLS.includes(proxyProtocol)) return [fieldError.notSupported(`${AT}.protocol`, proxyProtocol, PROTOCOLS)];
  if (proxyProtocol === 'Direct') {
    return transport === undefined
      ? []
      : [fieldError.invalid(`${AT}.transport`, 'direct', 'config must be absent for direct connect')];
  }
  if (transport === undefined) {
    return [fieldError.required(`${AT}.transport`, `transport must be set for ${proxyProtocol}`)];
  }
  const { tcp, uds } = transport;
  if (proxyProtocol === 'GRPC') {
    return uds === undefined ? [fieldError.required(`${AT}.uds`, 'UDS must be set with GRPC')] : socketErrors(uds);
  }
  if (tcp !== undefined && uds !== undefined) {
    const value = { URL: tcp.url ?? '', TLSConfig: tcp.tlsConfig ?? null };
    return [fieldError.invalid(`${AT}.tcp`, value, 'TCP and UDS cannot both be set')];
  }
  if (uds !== undefined) return socketErrors(uds);
  return tcp === undefined ? [fieldError.required(`${AT}.tcp`, 'One of TCP or UDS must be set')] : tcpErrors(tcp);
}

function socketErrors({ udsName = '' }: NonNullable<DeclaredTransport['uds']>): FieldError[] {
  return udsName === '' ? [fieldError.invalid(`${AT}.udsName`, 'nil', 'must be present for UDS connections')] : [];
}

function tcpErrors({ url = '', tlsConfig }: NonNullable<DeclaredTransport['tcp']>): FieldError[] {
  if (url.startsWith('http://')) {
    if (tlsConfig === undefined) return [];
    return [fieldError.invalid(`${AT}.tlsConfig`, 'nil', 'config must not be present when using HTTP')];
  }
  if (!url.startsWith('https://')) {
    return [fieldError.invalid(`${AT}.url`, url, 'supported connection protocols are http:// and https://')];
  }
  if (tlsConfig === undefined) {
    return [fieldError.required(`${AT}.tlsConfig`, 'TLSConfig must be present when using HTTPS')];
  }
  const { caBundle = '', clientCert = '', clientKey = '' } = tlsConfig;
  return [
    ...(caBundle === '' ? [] : fileErrors('caBundle', caBundle, 'TLS config ca bundle does not exist')),
    ...(clientCert === ''
      ? [fieldError.invalid(`${AT}.tlsConfig.clientCert`, 'nil', 'Using TLS requires clientCert')]
      : fileErrors('clientCert', clientCert, 'TLS client cert does not exist')),
    ...(clientKey === ''
      ? [fieldError.invalid(`${AT}.tlsConfig.clientKey`, 'nil', 'Using TLS requires requires clientKey')]
      : fileErrors('clientKey', clientKey, 'TLS client key does not exist')),
  ];
}

function fileErrors(member: string, path: string, why: string): FieldError[] {
  return existsSync(path) ? [] : [fieldError.invalid(`${AT}.tlsConfig.${member}`, path, why)];
}
