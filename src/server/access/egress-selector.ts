// Dialers for outgoing connections according to an egress configuration: direct or through a proxy, for each network.

import { Buffer } from 'node:buffer';
import { X509Certificate } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { goQuote } from '../../base/go-quote.ts';
import { hostAndPort } from '../../base/host-port.ts';
import type { Random } from '../../base/random.ts';
import type { EgressMetrics } from '../../lifecycle/egress-metrics.ts';
import { checkGlobalOnly, type Dial, type DialTarget } from '../../outbound/dial.ts';
import { type ProxyTls, socketProxy, tcpProxy } from '../../outbound/http-connect.ts';
import type { ProxyWay } from '../../outbound/proxy-way.ts';
import { Tunnel } from '../../outbound/tunnel.ts';
import { ConfigurationError } from '../configuration-file.ts';
import type { Egress } from '../egress.ts';
import { readText } from '../files.ts';
import { keyPairFault } from '../key-pair.ts';
import { GRPC_PACKAGES, withPackages } from '../optional-packages.ts';
import { type DeclaredConnection, type DeclaredTls, readEgressConfiguration } from './egress-configuration.ts';

interface EgressNeeds {
  /** The minor release of Kubernetes 1 whose fields the file may have. */
  readonly minor: number;
  readonly clock: Clock;
  readonly random: Random;
  /** How to connect to proxies, and directly. */
  readonly dial: Dial;
  readonly metrics: EgressMetrics;
}

/** @throws ConfigurationError with kube-apiserver's message */
export async function loadEgress(path: string, needs: EgressNeeds): Promise<Egress> {
  const connections = await readEgressConfiguration(path, needs.minor);
  const dials = new Map<string, Dial>();
  for (const [name, connection] of connections) {
    dials.set(name, await dialOf(name, connection, needs));
  }
  const [controlplane, cluster, etcd] = ['controlplane', 'cluster', 'etcd'].map((name) => dials.get(name));
  return {
    controlplane: controlplane ?? needs.dial,
    cluster: cluster ?? needs.dial,
    etcd,
    selected: connections.size === 0 ? undefined : { controlplane, cluster },
  };
}

async function dialOf(name: string, connection: DeclaredConnection, needs: EgressNeeds): Promise<Dial> {
  try {
    const way = await wayOf(connection, needs);
    return way === undefined
      ? needs.dial
      : (target) => new Tunnel((signal) => openThrough(way, { target, signal }, needs));
  } catch (error) {
    const why = `failed to create dialer for egressSelection ${goQuote(name)}: ${(error as Error).message}`;
    throw new ConfigurationError(`failed to setup egress selector: ${why}`, { cause: error });
  }
}

/** Undefined without a proxy. @param connection a valid one */
async function wayOf(
  { proxyProtocol, transport = {} }: DeclaredConnection,
  { dial, random }: EgressNeeds,
): Promise<ProxyWay | undefined> {
  if (proxyProtocol === 'Direct') return undefined;
  const { udsName = '' } = transport.uds ?? {};
  if (proxyProtocol === 'GRPC') {
    const need = { flag: '--egress-selector-config-file', packages: GRPC_PACKAGES };
    const { konnectivityProxy } = await withPackages(need, () => import('../../outbound/konnectivity.ts'));
    return konnectivityProxy(udsName, random);
  }
  if (transport.uds !== undefined) return socketProxy(udsName);
  const { url = '', tlsConfig } = transport.tcp ?? {};
  const { protocol, hostname, port } = proxyUrl(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const tls = tlsConfig === undefined ? undefined : proxyTls(tlsConfig);
  return tcpProxy({ host, port: Number(port) || (protocol === 'http:' ? 80 : 443), tls }, dial);
}

async function openThrough(
  way: ProxyWay,
  { target, signal }: { target: DialTarget; signal: AbortSignal },
  { clock, metrics }: EgressNeeds,
) {
  const { host, port, globalOnly } = target;
  if (globalOnly) await checkGlobalOnly(host);
  const startMs = clock.now();
  metrics.started(way);
  const goOn = await way.connect(signal).catch((error: unknown) => {
    metrics.failed(way, 'connect');
    throw error;
  });
  const address = hostAndPort({ host, port });
  const connection = await goOn(address).catch((error: unknown) => {
    metrics.failed(way, 'proxy');
    throw error;
  });
  metrics.stood(way, (clock.now() - startMs) / 1_000);
  return connection;
}

function proxyUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new Error(`invalid proxy server url ${goQuote(text)}: it can't be read as a URL`);
  return url;
}

function proxyTls({ caBundle = '', clientCert = '', clientKey = '', tlsServerName = '' }: DeclaredTls): ProxyTls {
  const serverName = tlsServerName === '' ? undefined : tlsServerName;
  const pair = { cert: readText(clientCert), key: readText(clientKey), serverName };
  const fault = keyPairFault(pair);
  if (fault !== undefined) throw new Error(`failed to read key pair ${clientCert} & ${clientKey}, got ${fault}`);
  if (caBundle === '') return { ...pair, ca: undefined };
  const ca = readText(caBundle);
  if (!isBundle(ca)) throw new Error('failed to append CA cert to the cert pool');
  return { ...pair, ca };
}

function isBundle(pem: string): boolean {
  try {
    return new X509Certificate(Buffer.from(pem)).raw.length > 0;
  } catch {
    return false;
  }
}
