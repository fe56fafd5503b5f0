// Opens the etcd store named by options, with Kubernetes' format. Loaded only if it is needed.

import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { withoutTrailing } from '../../base/without-trailing.ts';
import { requestedRelease } from '../../lifecycle/emulated-version.ts';
import type { Dial } from '../../outbound/dial.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { StrategyContext } from '../../resources/definition.ts';
import { Compactor } from '../../store/etcd/compactor.ts';
import type { EtcdStore } from '../../store/etcd/etcd-store.ts';
import { GrpcChannel } from '../../store/etcd/grpc-channel.ts';
import { openEtcdStore } from '../../store/etcd/open-etcd-store.ts';
import { Probe } from '../../store/etcd/probe.ts';
import type { CallObserver } from '../../store/etcd/rpc.ts';
import { SizePoll } from '../../store/etcd/size-poll.ts';
import { transformedFormat } from '../../store/etcd/transformed-format.ts';
import { StoreError } from '../../store/store.ts';
import type { ValueTransformers } from '../../store/value-transformer.ts';
import type { Registry } from '../../verbs/registry.ts';
import { certificatesFault } from '../certificates-fault.ts';
import { readText } from '../files.ts';
import { keyPairFault } from '../key-pair.ts';
import type { ServerOptions } from '../options.ts';
import { KubernetesFormat } from './kubernetes-format.ts';
import { EtcdRelay } from './relay.ts';

interface EtcdNeeds {
  readonly options: ServerOptions;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: Catalog;
  /** The registry on this store, once it exists. */
  readonly registry: () => Registry | undefined;
  readonly gateEnabled: (gate: string) => boolean;
  /** Connections to its members; undefined for direct ones. */
  readonly dialEtcd?: Dial | undefined;
  /** Follows calls; undefined if nobody does. */
  readonly observeCall?: CallObserver | undefined;
  /** Transformers of encryption at rest. */
  readonly transformers: ValueTransformers | undefined;
}

export interface EtcdBackend {
  readonly store: EtcdStore;
  readonly health: Probe;
  readonly readiness: Probe;
  readonly size: SizePoll;
  stop(): void;
}

/** @throws StoreError with a one-line description of the problem with a file, an address or the cluster */
export async function openEtcd(needs: EtcdNeeds, servers: readonly string[]): Promise<EtcdBackend> {
  const { options, clock, log } = needs;
  const relay = needs.dialEtcd === undefined ? undefined : new EtcdRelay(needs.dialEtcd);
  const rpc = connect(needs, servers, relay);
  const prefix = cleanPrefix(options.etcdPrefix);
  const plain = kubernetesFormat(needs, prefix);
  const format = needs.transformers === undefined ? plain : transformedFormat(plain, needs.transformers);
  const leaseReuseSeconds = options.leaseReuseDurationSeconds;
  let store: EtcdStore;
  // Nothing else keeps a process alive that is waiting for etcd.
  const waiting = setInterval(() => {}, limits.etcdStartMs);
  try {
    store = await openEtcdStore({ rpc, clock, log, format, leaseReuseSeconds, observeCall: needs.observeCall });
  } catch (error) {
    relay?.close();
    throw new StoreError(`etcd at ${servers.join(',')} cannot be used: ${(error as Error).message}`);
  } finally {
    clearInterval(waiting);
  }
  const compactor = new Compactor({
    ...{ rpc, clock, log },
    intervalMs: options.etcdCompactionIntervalMs,
    compact: (revision) => store.compact(revision),
    onCompacted: (revision) => store.compacted(revision),
  });
  const size = new SizePoll({ rpc, clock, intervalMs: options.etcdDbMetricPollIntervalMs });
  const probe = (timeoutMs: number) => new Probe({ rpc, clock, key: `${prefix}/health`, timeoutMs });
  return {
    store,
    health: probe(options.etcdHealthcheckTimeoutMs),
    readiness: probe(options.etcdReadycheckTimeoutMs),
    size,
    stop: () => {
      compactor.stop();
      size.stop();
      relay?.close();
    },
  };
}

function connect({ options, clock }: EtcdNeeds, servers: readonly string[], relay?: EtcdRelay): GrpcChannel {
  const { etcdCaFile: caFile, etcdCertFile: certFile, etcdKeyFile: keyFile } = options;
  try {
    if (caFile !== undefined) assertBundle(caFile);
    if (certFile !== undefined && keyFile !== undefined) assertPair(certFile, keyFile);
    const socketFor = relay === undefined ? undefined : (address: string) => relay.socketFor(address);
    return new GrpcChannel({ servers, caFile, certFile, keyFile, clock, socketFor });
  } catch (error) {
    throw new StoreError(`the files of --etcd-cafile, --etcd-certfile or --etcd-keyfile: ${(error as Error).message}`);
  }
}

/** Reported immediately, and not as an untrusted certificate of etcd. @throws Error */
function assertBundle(file: string): void {
  const fault = certificatesFault(readText(file));
  if (fault !== undefined) throw new Error(`${file}: ${fault}`);
}

/** @throws Error */
function assertPair(certFile: string, keyFile: string): void {
  const fault = keyPairFault({ cert: readText(certFile), key: readText(keyFile) });
  if (fault !== undefined) throw new Error(fault);
}

function kubernetesFormat(needs: EtcdNeeds, prefix: string): KubernetesFormat {
  const { options, clock, catalog, registry, gateEnabled } = needs;
  const nobody = { name: '', uid: '', groups: [], extra: {} };
  const rules = (): StrategyContext => ({ nowMs: clock.now(), gateEnabled, user: nobody });
  return new KubernetesFormat({
    ...{ catalog, prefix, rules },
    mediaType: options.storageMediaType,
    eventTtlSeconds: Math.max(1, Math.floor(options.eventTtlMs / 1_000)),
    known: (bytes) => registry()?.decoded.peek(bytes),
    minCompatibilityMinor: requestedRelease(options).minCompatibilityMinor,
  });
}

/** One leading slash, no trailing one. */
function cleanPrefix(prefix: string): string {
  return `/${withoutTrailing(prefix.replace(/^\/+/, ''), '/')}`;
}
