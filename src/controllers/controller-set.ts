// The controllers of a server: created, started and stopped together.

import { limits } from '../base/limits.ts';
import type { BootstrapObject } from '../resources/bootstrap.ts';
import type { PortRange } from '../verbs/services/node-ports.ts';
import { ApiServiceAvailability, type AvailabilityContext } from './api-service-availability.ts';
import { apiServiceDiscovery, apiServiceOpenApi, type DocumentsContext } from './api-service-documents.ts';
import { ApiServiceRegistration } from './api-service-registration.ts';
import { ClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { CollectionContext } from './collected-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import {
  type ClusterControllerName,
  type ControllerName,
  isOfCluster,
  MANAGERS,
  selectedControllers,
} from './controller-names.ts';
import { CoordinatedLeaderElection } from './coordinated-leader-election.ts';
import { DefaultServiceCidr } from './default-service-cidr.ts';
import { EndpointCount } from './endpoint-count.ts';
import { EndpointLeases } from './endpoint-leases.ts';
import { EventExpiry } from './event-expiry.ts';
import { FlowControlObjects } from './flow-control-objects.ts';
import { FlowSchemaStatus } from './flow-schema-status.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { IdentityLease, identityLeaseName, type ServerName } from './identity-lease.ts';
import { type ClusterAuthentication, clusterAuthentication, legacyTokenTracking } from './kept-config-map.ts';
import { KubernetesService } from './kubernetes-service.ts';
import { type ElectionTimes, LeaderElection } from './leader-election.ts';
import { defaultServiceAccounts, rootCaPublisher } from './namespace-companion.ts';
import { NamespaceController } from './namespace-controller.ts';
import { NodePortRepair } from './node-port-repair.ts';
import { publishPeerAddress } from './peer-address.ts';
import { PolicyTypeCheck } from './policy-type-check.ts';
import { type SecretTokenMaker, ServiceAccountTokenController } from './service-account-token.ts';
import { ServiceAddressRepair } from './service-address-repair.ts';
import { StorageVersionCollector } from './storage-version-collector.ts';
import { StorageVersionMigrator } from './storage-version-migrator.ts';
import { type StorageVersionPublication, StorageVersions } from './storage-versions.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

export interface ControllerSetOptions extends CollectionContext, AvailabilityContext, DocumentsContext {
  /** Whether priority and fairness is enabled. */
  readonly fairness: boolean;
  /** Creates the tokens in secrets; undefined without a key. */
  readonly makeToken: SecretTokenMaker | undefined;
  /** The selection, in the syntax of --controllers. */
  readonly controllers: string;
  /** TTL of events in milliseconds. */
  readonly eventTtlMs: number;
  /** The desired `kubernetes` Service and endpoints. */
  readonly ownObjects: readonly BootstrapObject[];
  /** The ranges of service addresses, that of the default family first. */
  readonly serviceCidrs: readonly string[];
  /** How aggregated API servers authenticate clients of this one. */
  readonly authentication: ClusterAuthentication;
  readonly server: ServerName;
  /** Whether the server ends with its process: it keeps no Lease, so that nothing is written without a client. */
  readonly ephemeral: boolean;
  /** Publication of storage versions; undefined if disabled. */
  readonly storageVersions?: StorageVersionPublication | undefined;
  /** Coordination with other servers on the store. */
  readonly shared?: SharedServer | undefined;
  /** The CA of the serving certificate, PEM; '' if it is not published. */
  readonly caPem: string;
  /** Whether nodes are simulated. */
  readonly lives: boolean;
  /** Makes the parts of the cluster with these names as one; undefined if none is selected. */
  readonly cluster: ((names: readonly ClusterControllerName[]) => Controller) | undefined;
}

export interface ControllerSet {
  /** Resolves when all controllers have stopped. */
  stop(): Promise<void>;
}

/** Additional needs of a server that shares its store. */
export interface SharedServer extends ServerName {
  /** The address for other machines; undefined if there is none, or if it is not published. */
  readonly address: string | undefined;
  /** The number of servers, if their addresses are counted rather than kept alive by leases. */
  readonly serverCount: number | undefined;
  /** The `kubernetes` Service and endpoints for these server addresses. */
  readonly ownObjects: (addresses: readonly string[]) => readonly BootstrapObject[];
  readonly nodePorts: PortRange;
  /** Of the election of the server that coordinates the elections of others. */
  readonly coordination: ElectionTimes;
}

/** Starts the selected controllers. */
export function startControllers(options: ControllerSetOptions): ControllerSet {
  const selected = [...selectedControllers(options.controllers, options.lives)];
  const { shared } = options;
  const told = [
    ...announce(options),
    ...coordinateElections(options),
    runAll(options, [new DefaultServiceCidr(options, options.serviceCidrs), new ServiceAddressRepair(options)]),
  ];
  if (shared === undefined) return together([runControllers(options, selected), ...told]);
  // Entries with a TTL expire by themselves.
  const own = selected.filter((name) => !MANAGERS.has(name) && name !== 'event-expiry-controller');
  const once = selected.filter((name) => MANAGERS.has(name));
  const repair = runAll(options, [new NodePortRepair(options, shared.nodePorts)]);
  const parts = [runControllers(options, own), repair, ...publishAddress(options, shared), ...told];
  if (once.length > 0) {
    const start = () => runControllers(options, once);
    parts.push(electControllers(options, shared, { lease: 'keelson-controllers', times: CONTROLLER_TIMES, start }));
  }
  return together(parts);
}

function together(parts: readonly ControllerSet[]): ControllerSet {
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Publishes the existence of the server by a Lease, and its storage versions. */
function announce(options: ControllerSetOptions): ControllerSet[] {
  const { server, ephemeral, shared, storageVersions, writes } = options;
  const lasts = shared !== undefined || !ephemeral;
  const hasLease = lasts && writes.registry.gateEnabled('APIServerIdentity');
  const parts: Controller[] = hasLease || storageVersions !== undefined ? [new IdentityLease(options, server)] : [];
  if (storageVersions !== undefined) {
    parts.push(new StorageVersions(options, storageVersions, identityLeaseName(server.hostname)));
  }
  // The storage versions of a server without a Lease are taken for those of one that is gone, and deleted.
  return [...publishForPeers(options), runAll(options, [inOrder(parts)])];
}

/** Controllers that start one after the other. */
function inOrder(parts: readonly Controller[]): Controller {
  return {
    name: parts.map(({ name }) => name).join(', '),
    async start() {
      for (const part of parts) await part.start();
    },
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Before the Lease by which other servers find this one. */
function publishForPeers({ server, shared, writes, clock, log }: ControllerSetOptions): ControllerSet[] {
  if (shared === undefined || server.peerAddress === undefined) return [];
  const { registry } = writes;
  const entry = publishPeerAddress({ registry, clock, log }, identityLeaseName(server.hostname), server.peerAddress);
  void entry.start();
  return [entry];
}

function runControllers(
  options: ControllerSetOptions,
  names: readonly (ControllerName | ClusterControllerName)[],
): ControllerSet {
  const makers = controllerMakers(options);
  const parts = names.filter(isOfCluster);
  const cluster = parts.length === 0 ? undefined : options.cluster?.(parts);
  return runAll(options, [
    ...names.flatMap((name) => (isOfCluster(name) ? [] : (makers[name]() ?? []))),
    ...(cluster === undefined ? [] : [cluster]),
  ]);
}

function runAll({ log }: ControllerContext, running: readonly Controller[]): ControllerSet {
  let stopping = false;
  for (const controller of running) {
    controller.start().catch((error: unknown) => {
      if (!stopping) log.warn('a controller could not be started', { controller: controller.name, error });
    });
  }
  return {
    async stop() {
      stopping = true;
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}

/** kube-controller-manager's values. */
const CONTROLLER_TIMES: ElectionTimes = {
  leaseSeconds: limits.leaderLeaseSeconds,
  renewDeadlineMs: limits.leaderRenewDeadlineMs,
  retryMs: limits.leaderRetryMs,
};

/** Runs controllers while this server is the leader. */
function electControllers(
  options: ControllerSetOptions,
  { hostname, uuid }: SharedServer,
  {
    start,
    ...settings
  }: { readonly lease: string; readonly times: ElectionTimes; readonly start: () => ControllerSet },
): ControllerSet {
  let running: ControllerSet | undefined;
  const end = async () => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  const election = new LeaderElection({
    ...options,
    ...settings,
    identity: `${hostname}_${uuid}`,
    onElected: () => {
      running = start();
    },
    onLost: end,
  });
  void election.start();
  return {
    async stop() {
      await end();
      await election.stop();
    },
  };
}

/** Elects leaders for components of the cluster, on one of several servers. */
function coordinateElections(options: ControllerSetOptions): ControllerSet[] {
  const { shared, writes } = options;
  if (!writes.registry.gateEnabled('CoordinatedLeaderElection')) return [];
  const start = () => runAll(options, [new CoordinatedLeaderElection(options)]);
  if (shared === undefined) return [start()];
  const { coordination: times } = shared;
  return [electControllers(options, shared, { lease: 'leader-election-controller', times, start })];
}

/** Publishes the address of this server for other servers and for clients inside the cluster. */
function publishAddress(options: ControllerSetOptions, shared: SharedServer): ControllerSet[] {
  const { clock, log, writes } = options;
  const { address, serverCount: count, ownObjects } = shared;
  if (address === undefined) return [];
  // Servers that count each other write different addresses until they agree: correcting at once would be a fight.
  const service = new KubernetesService(options, [], { corrects: count === undefined });
  const running = runAll(options, [service]);
  const parts = {
    ...{ registry: writes.registry, clock, log, address, ownObjects },
    onAddresses: (addresses: readonly string[]) => service.keep(ownObjects(addresses)),
  };
  const published = count === undefined ? new EndpointLeases(parts) : new EndpointCount({ ...parts, count });
  void published.start();
  return [
    {
      async stop() {
        await published.stop();
        await running.stop();
      },
    },
  ];
}

function controllerMakers(options: ControllerSetOptions): Record<ControllerName, () => Controller | undefined> {
  const { caPem, eventTtlMs, makeToken, ownObjects, shared } = options;
  return {
    'apiservice-availability-controller': () => new ApiServiceAvailability(options),
    'apiservice-discovery-controller': () => apiServiceDiscovery(options),
    'apiservice-openapi-controller': () => apiServiceOpenApi(options),
    'apiservice-registration-controller': () => new ApiServiceRegistration(options),
    'cluster-authentication-info-controller': () => clusterAuthentication(options, options.authentication),
    'clusterrole-aggregation-controller': () => new ClusterRoleAggregation(options),
    'event-expiry-controller': () => new EventExpiry(options, eventTtlMs),
    'flowcontrol-objects-controller': () => new FlowControlObjects(options),
    // Reconciles FlowSchema status.
    'flowschema-status-controller': () => (options.fairness ? new FlowSchemaStatus(options) : undefined),
    'garbage-collector-controller': () => new GarbageCollector(options),
    // Of several servers, the leader maintains them.
    'kubernetes-service-controller': () =>
      shared?.address === undefined ? new KubernetesService(options, ownObjects) : undefined,
    'legacy-service-account-token-tracking-controller': () => legacyTokenTracking(options),
    'namespace-controller': () => new NamespaceController(options),
    'persistentvolume-protection-controller': () => volumeProtection(options),
    'persistentvolumeclaim-protection-controller': () => claimProtection(options),
    'root-ca-certificate-publisher-controller': () => (caPem === '' ? undefined : rootCaPublisher(options, caPem)),
    'serviceaccount-controller': () => defaultServiceAccounts(options),
    'serviceaccount-token-controller': () =>
      makeToken === undefined ? undefined : new ServiceAccountTokenController(options, { caPem, makeToken }),
    'storageversion-garbage-collector-controller': () =>
      options.storageVersions === undefined ? undefined : new StorageVersionCollector(options),
    'storage-version-migrator-controller': () => new StorageVersionMigrator(options),
    'validatingadmissionpolicy-status-controller': () => new PolicyTypeCheck(options),
  };
}
