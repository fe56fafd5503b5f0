// The controllers of a server: which there are, made and started together, stopped together.

import type { BootstrapObject } from '../resources/bootstrap.ts';
import { ApiServiceAvailability, type AvailabilityContext } from './api-service-availability.ts';
import { apiServiceDiscovery, apiServiceOpenApi, type DocumentsContext } from './api-service-documents.ts';
import { ApiServiceRegistration } from './api-service-registration.ts';
import { ClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { CollectionContext } from './collected-objects.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type ControllerName, MANAGERS, selectedControllers } from './controller-names.ts';
import { EndpointLeases } from './endpoint-leases.ts';
import { EventExpiry } from './event-expiry.ts';
import { FlowControlObjects } from './flow-control-objects.ts';
import { FlowSchemaStatus } from './flow-schema-status.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { IdentityLease, identityLeaseName, type ServerName } from './identity-lease.ts';
import { clusterAuthentication, legacyTokenTracking } from './kept-config-map.ts';
import { KubernetesService } from './kubernetes-service.ts';
import { LeaderElection } from './leader-election.ts';
import { defaultServiceAccounts, rootCaPublisher } from './namespace-companion.ts';
import { NamespaceController } from './namespace-controller.ts';
import { PolicyTypeCheck } from './policy-type-check.ts';
import { type SecretTokenMaker, ServiceAccountTokenController } from './service-account-token.ts';
import { StorageVersionCollector } from './storage-version-collector.ts';
import { StorageVersionMigrator } from './storage-version-migrator.ts';
import { type StorageVersionPublication, StorageVersions } from './storage-versions.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

export interface ControllerSetOptions extends CollectionContext, AvailabilityContext, DocumentsContext {
  /** Whether priority and fairness are on. */
  readonly fairness: boolean;
  /** Makes the tokens that lie in secrets; undefined where there is no key for them. */
  readonly makeToken: SecretTokenMaker | undefined;
  /** Which run, in the syntax of --controllers. */
  readonly controllers: string;
  /** How long events are kept, in milliseconds. */
  readonly eventTtlMs: number;
  /** By which clients inside the cluster find the server, as they should be. */
  readonly ownObjects: readonly BootstrapObject[];
  /** What servers that extend this one need to tell its clients: `client-ca-file` and its like; empty without TLS. */
  readonly authentication: Readonly<Record<string, string>>;
  readonly server: ServerName;
  /** What the server tells of its storage; undefined where it tells nothing. */
  readonly storageVersions?: StorageVersionPublication | undefined;
  /** Where other servers share the store. */
  readonly shared?: SharedServer | undefined;
  /** The authority of the server's certificate, PEM; '' when it has none to publish. */
  readonly caPem: string;
}

export interface ControllerSet {
  /** Resolves when no controller works any more. */
  stop(): Promise<void>;
}

/** What a server that shares its store with others needs besides. */
export interface SharedServer extends ServerName {
  /** Under which other machines find it; undefined where none can, or where nobody is to be told. */
  readonly address: string | undefined;
  /** By which clients find the servers that have these addresses. */
  readonly ownObjects: (addresses: readonly string[]) => readonly BootstrapObject[];
}

/** Starts the controllers that are selected. */
export function startControllers(options: ControllerSetOptions): ControllerSet {
  const selected = [...selectedControllers(options.controllers)];
  const { shared } = options;
  const told = announceStorage(options);
  if (shared === undefined) return together([runControllers(options, selected), ...told]);
  // Entries that have had their time go by themselves.
  const own = selected.filter((name) => !MANAGERS.has(name) && name !== 'event-expiry-controller');
  const once = selected.filter((name) => MANAGERS.has(name));
  const parts = [runControllers(options, own), announceServer(options, shared), ...told];
  if (once.length > 0) parts.push(electControllers(options, shared, once));
  return together(parts);
}

function together(parts: readonly ControllerSet[]): ControllerSet {
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Tells who reads it in which versions the server stores what, and by a Lease that it is there. */
function announceStorage(options: ControllerSetOptions): ControllerSet[] {
  const { server, storageVersions, shared } = options;
  if (storageVersions === undefined) return [];
  const versions = new StorageVersions(options, storageVersions, identityLeaseName(server.hostname));
  // Servers that share their store have their Leases anyway.
  return [runAll(options, shared === undefined ? [new IdentityLease(options, server), versions] : [versions])];
}

function runControllers(options: ControllerSetOptions, names: readonly ControllerName[]): ControllerSet {
  const makers = controllerMakers(options);
  return runAll(
    options,
    names.flatMap((name) => makers[name]() ?? []),
  );
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

/** Runs controllers while this server is the one that does. */
function electControllers(
  options: ControllerSetOptions,
  { hostname, uuid }: SharedServer,
  names: readonly ControllerName[],
): ControllerSet {
  let running: ControllerSet | undefined;
  const end = async () => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  const election = new LeaderElection({
    ...options,
    identity: `${hostname}_${uuid}`,
    onElected: () => {
      running = runControllers(options, names);
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

/** Tells the others, and clients inside the cluster, that this server is there. */
function announceServer(options: ControllerSetOptions, shared: SharedServer): ControllerSet {
  const { clock, log, writes } = options;
  const { address } = shared;
  const isKnown = writes.registry.gateEnabled('APIServerIdentity');
  const identity = runAll(options, isKnown ? [new IdentityLease(options, shared)] : []);
  if (address === undefined) return identity;
  const service = new KubernetesService(options, []);
  const running = runAll(options, [service]);
  const leases = new EndpointLeases({
    ...{ registry: writes.registry, clock, log, address },
    onAddresses: (addresses) => service.keep(shared.ownObjects(addresses)),
  });
  void leases.start();
  return {
    async stop() {
      await identity.stop();
      await leases.stop();
      await running.stop();
    },
  };
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
    // Who follows schemas says so in them.
    'flowschema-status-controller': () => (options.fairness ? new FlowSchemaStatus(options) : undefined),
    'garbage-collector-controller': () => new GarbageCollector(options),
    // Of several servers, who announces them keeps it.
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
