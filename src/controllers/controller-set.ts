// The controllers of a server: which there are, made and started together, stopped together.

import type { BootstrapObject } from '../resources/bootstrap.ts';
import { ApiServiceAvailability } from './api-service-availability.ts';
import { ClusterRoleAggregation } from './cluster-role-aggregation.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { type ControllerName, selectedControllers } from './controller-names.ts';
import { EventExpiry } from './event-expiry.ts';
import { FlowSchemaStatus } from './flow-schema-status.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { clusterAuthentication, legacyTokenTracking } from './kept-config-map.ts';
import { KubernetesService } from './kubernetes-service.ts';
import { defaultServiceAccounts, rootCaPublisher } from './namespace-companion.ts';
import { NamespaceController } from './namespace-controller.ts';
import { type SecretTokenMaker, ServiceAccountTokenController } from './service-account-token.ts';
import { claimProtection, volumeProtection } from './volume-protection.ts';

export interface ControllerSetOptions extends ControllerContext {
  /** Makes the tokens that lie in secrets. */
  readonly makeToken: SecretTokenMaker;
  /** Which run, in the syntax of --controllers. */
  readonly controllers: string;
  /** How long events are kept, in milliseconds. */
  readonly eventTtlMs: number;
  /** By which clients inside the cluster find the server, as they should be. */
  readonly ownObjects: readonly BootstrapObject[];
  /** What servers that extend this one need to tell its clients: `client-ca-file` and its like; empty without TLS. */
  readonly authentication: Readonly<Record<string, string>>;
  /** The authority of the server's certificate, PEM; '' when it has none to publish. */
  readonly caPem: string;
}

export interface ControllerSet {
  /** Resolves when no controller works any more. */
  stop(): Promise<void>;
}

/** Starts the controllers that are selected. */
export function startControllers(options: ControllerSetOptions): ControllerSet {
  const { caPem, eventTtlMs, ownObjects } = options;
  const makers: Record<ControllerName, () => Controller | undefined> = {
    'apiservice-availability-controller': () => new ApiServiceAvailability(options),
    'cluster-authentication-info-controller': () => clusterAuthentication(options, options.authentication),
    'clusterrole-aggregation-controller': () => new ClusterRoleAggregation(options),
    'event-expiry-controller': () => new EventExpiry(options, eventTtlMs),
    'flowschema-status-controller': () => new FlowSchemaStatus(options),
    'garbage-collector-controller': () => new GarbageCollector(options),
    'kubernetes-service-controller': () => new KubernetesService(options, ownObjects),
    'legacy-service-account-token-tracking-controller': () => legacyTokenTracking(options),
    'namespace-controller': () => new NamespaceController(options),
    'persistentvolume-protection-controller': () => volumeProtection(options),
    'persistentvolumeclaim-protection-controller': () => claimProtection(options),
    'root-ca-certificate-publisher-controller': () => (caPem === '' ? undefined : rootCaPublisher(options, caPem)),
    'serviceaccount-controller': () => defaultServiceAccounts(options),
    'serviceaccount-token-controller': () => new ServiceAccountTokenController(options, options),
  };
  const running = [...selectedControllers(options.controllers)].flatMap((name) => makers[name]() ?? []);
  let stopping = false;
  for (const controller of running) {
    controller.start().catch((error: unknown) => {
      if (!stopping) options.log.warn('a controller does not work', { controller: controller.name, error });
    });
  }
  return {
    async stop() {
      stopping = true;
      await Promise.all(running.map((controller) => controller.stop()));
    },
  };
}
