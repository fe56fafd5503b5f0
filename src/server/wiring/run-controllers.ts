// Start of the controllers: after the first response or a short delay, so that they do not delay the first client.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ControllerSet, ControllerSetOptions, SharedServer } from '../../controllers/controller-set.ts';
import type { ServerName } from '../../controllers/identity-lease.ts';
import type { PeerAddress } from '../../controllers/peer-address.ts';
import { type BootstrapOptions, ownObjects } from '../../resources/bootstrap.ts';
import { knowsPeers, type PeerOptions } from '../options/peers.ts';
import type { WiringContext } from './context.ts';
import { type ClusterNeeds, loadCluster } from './load-cluster.ts';

type ControllerNeeds = Omit<
  ControllerSetOptions,
  'controllers' | 'eventTtlMs' | 'clock' | 'log' | 'activity' | 'lives' | 'cluster'
>;

/** How long the controllers wait for a first request. */
const CONTROLLERS_WAIT_MS = 100;

/**
 * Loads and starts the controllers once; immediately if writes depend on one of them, or a cluster lives.
 * @param firstAnswer resolves after the first response
 * @param draining if aborted, controllers that have not started never do
 * @param cluster what the parts of a cluster need
 * @returns the controllers; undefined if they were not started
 */
export function runControllers(
  context: WiringContext,
  needs: ControllerNeeds,
  { firstAnswer, draining, cluster }: { firstAnswer: Promise<void>; draining: AbortSignal; cluster: ClusterNeeds },
): Promise<ControllerSet | undefined> {
  const { options, environment, closing } = context;
  const { eventTtlMs, enableGarbageCollector } = options;
  const controllers = enableGarbageCollector ? options.controllers : `${options.controllers},-garbagecollector`;
  const { clock, log, activity } = environment;
  const lives = options.nodes > 0;
  const nobodyComes = new Promise<void>((resolve) => {
    clock.after(CONTROLLERS_WAIT_MS, resolve);
    draining.addEventListener('abort', () => resolve());
  });
  const waits = needs.storageVersions === undefined && !lives;
  const begin = waits ? Promise.race([firstAnswer, nobodyComes]) : Promise.resolve();
  const running = begin
    // A response is sent at the end of the turn in which it is created.
    .then(() => nextTurn())
    .then(() => (draining.aborted ? undefined : import('../../controllers/controller-set.ts')))
    .then(async (module) => {
      if (module === undefined) return undefined;
      const all = { clock, log, activity, ...needs, controllers, eventTtlMs, lives };
      return module.startControllers({ ...all, cluster: await loadCluster(context, all, cluster) });
    })
    .catch((error: unknown) => {
      log.error('controllers could not be started', { error });
      return undefined;
    });
  closing.defer(async () => (await running)?.stop());
  return activity.during(running);
}

/** The identity of this server among others, and its address for those on the same store. */
export function serverName({ environment, options }: WiringContext, own: Partial<PeerAddress>): ServerName {
  const { hostname, random } = environment;
  return {
    hostname,
    uuid: random.uuid(),
    peerAddress: knowsPeers(options) ? addressForPeers(options, own) : undefined,
  };
}

function addressForPeers(
  { peerAdvertiseIp, peerAdvertisePort }: PeerOptions,
  { host, port }: Partial<PeerAddress>,
): PeerAddress | undefined {
  if (peerAdvertiseIp !== '' && peerAdvertisePort !== '') {
    return { host: peerAdvertiseIp, port: Number(peerAdvertisePort) };
  }
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** What this server publishes for clients and for other servers on the same store. */
export function sharedServer(
  { options }: WiringContext,
  { server, address, bootstrap }: { server: ServerName; address: string | undefined; bootstrap: BootstrapOptions },
): SharedServer {
  return {
    ...server,
    address: options.endpointReconcilerType === 'none' ? undefined : address,
    serverCount: options.endpointReconcilerType === 'master-count' ? options.apiserverCount : undefined,
    ownObjects: (addresses) => ownObjects(bootstrap, addresses),
    nodePorts: options.serviceNodePortRange,
    coordination: {
      leaseSeconds: Math.floor(options.coordinatedLeadershipLeaseDurationMs / 1_000),
      renewDeadlineMs: options.coordinatedLeadershipRenewDeadlineMs,
      retryMs: options.coordinatedLeadershipRetryPeriodMs,
    },
  };
}
