// The services for requests other than storage and the write path.

import type { StorageVersionPublication } from '../../controllers/storage-versions.ts';
import { wholeShare } from '../../flowcontrol/seat-share.ts';
import type { DebugTools, Profiles } from '../../http/documents/debug-facts.ts';
import { ImpersonationModes } from '../../http/filters/constrained-impersonation.ts';
import type { ApiSettings, RequestServices } from '../../http/request-services.ts';
import { isSince, versionDocument } from '../../lifecycle/version.ts';
import { labelUsedSecrets } from '../access/secret-uses.ts';
import { startAggregation } from '../aggregation.ts';
import { backendCaller } from '../backends.ts';
import { componentProbes } from '../component-probes.ts';
import type { ServedDefinitions } from '../custom-resources.ts';
import { startFlowControl } from '../flow-control.ts';
import { healthChecks } from '../health-checks.ts';
import { badOriginPattern } from '../options/web.ts';
import { InvalidOptionsError, type ServerOptions } from '../options.ts';
import { withSimulatedKubelets } from '../simulated-kubelets.ts';
import type { WiringContext } from './context.ts';
import type { Foundation } from './foundation.ts';
import type { WritePath } from './write-path.ts';

/** Access of requests to the lifecycle of their server. */
interface ServerLife extends Pick<RequestServices, 'draining' | 'shutdown'> {
  readonly isReady: () => boolean;
  readonly isDraining: () => boolean;
  /** The listener's URL: `https://127.0.0.1:6443`; '' before it listens. */
  readonly url: () => string;
}

export type RequestParts = Foundation &
  WritePath & {
    storageVersions?: StorageVersionPublication | undefined;
    readonly definitions: ServedDefinitions;
  };

/** Starts the services for requests; `controllers` are those that controllers share. */
export async function startRequestServices(
  context: WiringContext,
  parts: RequestParts,
  life: ServerLife,
): Promise<{ services: RequestServices; controllers: Awaited<ReturnType<typeof startAggregation>>['controllers'] }> {
  const { options, environment } = context;
  const { clock, random, log } = environment;
  const { catalog, registry, objects, metrics, storage, encryption, identity, egress } = parts;
  const flow = await fairness(context, parts);
  const backends = withSimulatedKubelets(
    backendCaller(options, { clock, dial: egress.cluster }),
    environment.simulated,
  );
  const storageVersions = parts.storageVersions?.barrier;
  const needs = { options, clock, random, catalog, registry, objects, backends, metrics: metrics.aggregator };
  const aggregation = await startAggregation(needs);
  const peers = await routesToPeers(context, parts);
  const services: RequestServices = {
    ...{ clock, random, log, catalog, writes: parts.writes, turns: parts.registry.turns },
    readTimes: parts.readTimes,
    ...{ auditor: parts.auditor, authorizer: parts.authorizer, rulesFor: parts.rulesFor },
    impersonation: constrainedImpersonation(parts),
    authenticator: identity.authenticator(objects, labelUsedSecrets({ catalog, clock, log, writes: parts.writes })),
    serviceAccountTokens: identity.serviceAccountTokens,
    ...{ metrics, flow, backends, ...aggregation.requests },
    otherThreads: environment.team,
    inFlight: environment.team?.seats.inFlight,
    definitionsKnown: definitionsKnown(parts),
    peers,
    storageVersions,
    health: healthChecks({
      hasToldStorage: () => storageVersions?.isLifted ?? true,
      ...{ storage, encryption, fairness: flow !== undefined, metrics: metrics.health },
      hasPeers: peers !== undefined,
      showsCertificate: options.proxyClientCertFile !== undefined,
      gateEnabled: (gate) => parts.gates.enabled(gate),
      release: parts.emulation.binary,
      ...{ isReady: life.isReady, isDraining: life.isDraining },
    }),
    traceCall: parts.tracing && ((call) => parts.tracing?.calls(call)),
    debug: { startedMs: clock.now(), flags: environment.flags, tools: debugTools(context) },
    components: componentProbes(backendCaller(options, environment), storage),
    settings: settings(options, parts, life),
    typeDescriptions: async () => (await import('../type-descriptions-file.ts')).builtDescriptions(),
    version: versionDocument(parts.runtime, parts.emulation, options.reportedVersion || undefined),
    ...(await originRules(options)),
    lastingHeaders: lastingHeaders(options),
    ...{ draining: life.draining, shutdown: life.shutdown },
  };
  return { services, controllers: aggregation.controllers };
}

/** For a server among others, whose definitions may be younger than what this one serves. */
function definitionsKnown({ storage: { store }, definitions }: RequestParts): RequestServices['definitionsKnown'] {
  if (store.catchUp === undefined) return undefined;
  return async () => {
    // If the store does not answer, what is known counts.
    await store.catchUp?.().catch(() => {});
    await definitions.settled();
  };
}

function constrainedImpersonation({ gates, authorizer, metrics }: RequestParts): RequestServices['impersonation'] {
  if (!gates.enabled('ConstrainedImpersonation')) return undefined;
  const series = metrics.auth.impersonations();
  return { series, modes: new ImpersonationModes(authorizer, (...asked) => series.asked(...asked)) };
}

/** Loaded only if requests are forwarded. */
async function routesToPeers({ options, environment }: WiringContext, foundation: Foundation) {
  if (options.peerCaFile === undefined) return undefined;
  const { clock, log, hostname } = environment;
  const { peerRoutes } = await import('../peers.ts');
  const { objects, registry, egress, emulation } = foundation;
  return peerRoutes({ options, clock, log, hostname, objects, registry, egress, minor: emulation.binary.minor });
}

/** The profiler is loaded with the first profile. */
function debugTools({ options, environment }: WiringContext): DebugTools | undefined {
  if (!options.profiling) return undefined;
  const { clock, levels } = environment;
  let profiles: Promise<Profiles> | undefined;
  return {
    levels,
    profiles: {
      async take(kind, time) {
        profiles ??= import('../profiles.ts').then(({ ProcessProfiles }) => new ProcessProfiles(clock));
        return await (await profiles).take(kind, time);
      },
    },
  };
}

async function fairness({ options, environment, closing }: WiringContext, parts: Foundation) {
  if (!options.enablePriorityAndFairness) return undefined;
  const { catalog, registry, metrics } = parts;
  const seats = options.maxRequestsInFlight + options.maxMutatingRequestsInFlight;
  const share = environment.team?.seats.share(seats) ?? wholeShare(seats);
  const flow = await startFlowControl({
    ...{ clock: environment.clock, share, catalog, registry, metrics: metrics.flow },
  });
  closing.defer(() => flow.controller.stop());
  return flow;
}

/** Patterns and their engine are only loaded if there are any. */
async function originRules({ corsAllowedOrigins }: ServerOptions): Promise<Pick<RequestServices, 'origins'>> {
  if (corsAllowedOrigins.length === 0) return { origins: undefined };
  const { AllowedOrigins } = await import('../../http/filters/allowed-origins.ts');
  try {
    return { origins: new AllowedOrigins(corsAllowedOrigins) };
  } catch (error) {
    throw new InvalidOptionsError(badOriginPattern((error as Error).message));
  }
}

function lastingHeaders({
  strictTransportSecurityDirectives: directives,
}: ServerOptions): RequestServices['lastingHeaders'] {
  return directives.length === 0 ? undefined : { 'strict-transport-security': directives.join('; ') };
}

/** Host and port: the external name, with the server's own port by default. */
function externalAddress(hostname: string, url: string): string {
  if (hostname === '') return url.replace('https://', '');
  if (/^(\[.*\]|[^:]*):\d*$/.test(hostname)) return hostname;
  const host = hostname.includes(':') ? `[${hostname.replace(/^\[|\]$/g, '')}]` : hostname;
  return `${host}${/:\d+$/.exec(url)?.[0] ?? ''}`;
}

/** The first release whose documents about groups may be CBOR. */
const WITH_CBOR_DOCUMENTS = 37;

function settings(options: ServerOptions, { gates, emulation }: RequestParts, { url }: ServerLife): ApiSettings {
  const cbor = gates.enabled('CBORServingAndStorage');
  return {
    requestTimeoutMs: options.requestTimeoutMs,
    minRequestTimeoutMs: options.minRequestTimeoutSeconds * 1000,
    maxRequestsInFlight: options.maxRequestsInFlight,
    maxMutatingRequestsInFlight: options.maxMutatingRequestsInFlight,
    goawayChance: options.goawayChance,
    refusesWatches: options.shutdownWatchTerminationGraceMs > 0,
    gzip: gates.enabled('APIResponseCompression'),
    cbor,
    cborDocuments: cbor && isSince(emulation.binary, WITH_CBOR_DOCUMENTS),
    kubeletPreferredAddressTypes: options.kubeletPreferredAddressTypes,
    maxConnectionBytesPerSec: options.maxConnectionBytesPerSec,
    rejectsRedirects: options.aggregatorRejectForwardingRedirect,
    externalAddress: () => externalAddress(options.externalHostname, url()),
  };
}
