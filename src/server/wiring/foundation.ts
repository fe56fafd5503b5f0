// The foundation of a server: its APIs, storage, identity, metrics and audit.

import type { Auditor } from '../../audit/auditor.ts';
import type { Log } from '../../base/log.ts';
import { ReadTimes } from '../../base/read-times.ts';
import { part } from '../../base/resumed.ts';
import type { TurnTask } from '../../base/turn-meter.ts';
import type { FeatureGates } from '../../lifecycle/feature-gates.ts';
import { declareServerMetrics, type ServerMetrics } from '../../lifecycle/server-metrics.ts';
import { StorageSeries } from '../../lifecycle/storage-series.ts';
import { type Emulation, isSince, type Runtime } from '../../lifecycle/version.ts';
import type { Dial } from '../../outbound/dial.ts';
import type { Catalog } from '../../resources/catalog.ts';
import type { DeclarativeObserver, ExpressionObserver } from '../../resources/definition.ts';
import { DeclaredValidation } from '../../schema/declared/validation.ts';
import type { CallObserver } from '../../store/etcd/rpc.ts';
import type { Registry } from '../../verbs/registry.ts';
import { ConfigurationError } from '../configuration-file.ts';
import type { Egress } from '../egress.ts';
import type { EncryptionAtRest } from '../encryption/encryption-at-rest.ts';
import { type Identity, loadIdentity } from '../identity.ts';
import { metricRules } from '../metric-rules.ts';
import { TRACE_PACKAGES, withPackages } from '../optional-packages.ts';
import { processFacts, runtimeFacts } from '../process-facts.ts';
import { resourceFacts } from '../resource-facts.ts';
import { servedApis } from '../served-apis.ts';
import { firstServiceFamily } from '../service-range.ts';
import { openStorage, type Storage, type StorageNeeds, storageFacts } from '../storage.ts';
import { storedObjects } from '../stored-objects.ts';
import type { RequestSpans } from '../tracing/request-spans.ts';
import { serverTurnMeter } from '../turn-meter.ts';
import { verifySignature } from '../verify-signature.ts';
import type { WiringContext } from './context.ts';

export interface Foundation {
  readonly emulation: Emulation;
  readonly gates: FeatureGates;
  readonly catalog: Catalog;
  readonly runtime: Runtime;
  readonly metrics: ServerMetrics;
  /** Undefined if values are not encrypted. */
  readonly encryption: EncryptionAtRest | undefined;
  readonly storage: Storage;
  readonly registry: Registry;
  readonly readTimes: ReadTimes;
  readonly objects: ReturnType<typeof storedObjects>;
  readonly identity: Identity;
  readonly egress: Egress;
  /** Undefined if tracing is off. */
  readonly tracing: RequestSpans | undefined;
  /** Undefined if auditing is off. */
  readonly auditor: Auditor | undefined;
}

/**
 * Opens the store and everything else that must exist before other parts.
 * @param meanwhile is called while another thread opens the store
 */
export async function openFoundation(context: WiringContext, meanwhile: () => void): Promise<Foundation> {
  const { options, environment, limits, closing } = context;
  const { clock, random, log } = environment;
  const { emulation, gates, catalog } = await servedApis(options, log);
  const runtime = runtimeFacts();
  const metrics = declareServerMetrics({
    ...{ clock, gates, emulation, runtime, process: processFacts, ...storageFacts(options, () => storage) },
    ...{ resources: () => resourceFacts(catalog, registry), rules: await metricRules(options, log) },
  });
  metrics.runtime.outputs(environment.outputs.out, environment.outputs.err);
  const egress = await openEgress(context, emulation, metrics);
  // Before everything else, because parts may still record events while they stop.
  const auditor = await startAudit(context, metrics, egress.controlplane);
  const tracing = await startTracing(context, emulation, gates);
  const encryption = await loadEncryption(context, { catalog, gates, metrics });
  const observeEtcdCall: CallObserver | undefined = tracing && ((...call) => tracing.callsEtcd(...call));
  const opening = openStore(context, {
    ...{ catalog, gates, transformers: encryption, dialEtcd: egress.etcd, observeEtcdCall },
  });
  const identity = await loadIdentity(options, {
    ...{ ...environment, gates, egress, metrics: metrics.auth },
    observeCall: metrics.client.called,
  });
  closing.defer(() => identity.stop());
  meanwhile();
  const storage = await opening;
  const { allowPrivileged, enableGarbageCollector: collectsGarbage, watchCache } = options;
  const meter = serverTurnMeter({
    ...{ clock, log, metrics: metrics.runtime, requests: context.requests },
    now: () => performance.now(),
  });
  const readTimes = new ReadTimes({ now: () => clock.now(), nextRound: setImmediate });
  const enter = (task: TurnTask) => {
    readTimes.worked();
    meter.enter(task);
  };
  const declarative = declarativeObserver(log, metrics);
  const declared = await enforcedRules(emulation);
  const registry = storage.registry({
    series: new StorageSeries(metrics.storage, metrics.watchCache),
    expressions: expressionObserver(metrics),
    serviceFamily: firstServiceFamily(options.serviceClusterIpRange),
    ...{
      clock,
      random,
      gates,
      emulation,
      keptFormBytes: limits.keptFormBytes,
      allowPrivileged,
      collectsGarbage,
      watchCache,
      meter: { enter },
      declarative,
      declared,
      verifySignature,
    },
  });
  if (encryption !== undefined) {
    encryption.onReplaced = (mayDiffer) => {
      void registry.readAgain(mayDiffer).catch((error: unknown) => {
        log.error('stored values were not read again with other keys', { error });
      });
    };
  }
  metrics.runtime.hold({ name: 'kept_forms', limit: limits.keptFormBytes, bytes: () => registry.formBudget.bytes });
  closing.defer(() => registry.close());
  const objects = storedObjects(catalog, registry);
  return {
    emulation,
    gates,
    catalog,
    runtime,
    metrics,
    encryption,
    storage,
    registry,
    readTimes,
    objects,
    identity,
    egress,
    auditor,
    tracing,
  };
}

function expressionObserver({ validation }: ServerMetrics): ExpressionObserver {
  return {
    measure(work, run) {
      // What is broken off comes again, and is counted when it is done.
      return part(() => {
        const startMs = performance.now();
        const result = run();
        validation[work].observe((performance.now() - startMs) / 1000);
        return result;
      });
    },
  };
}

/** The first minor release of Kubernetes 1 that enforces declared rules. */
const FIRST_WITH_DECLARED_RULES = 36;

/** The declared rules of a release that enforces them; loaded only for one. */
async function enforcedRules({ binary }: Emulation): Promise<DeclaredValidation | undefined> {
  if (!isSince(binary, FIRST_WITH_DECLARED_RULES)) return undefined;
  const { declaredTags } = await import('../../resources/builtin/declared-rules.ts');
  return new DeclaredValidation(declaredTags(binary.minor));
}

/** Mismatches of declarative and hand-written validation are errors of the server, not of clients. */
function declarativeObserver(log: Log, { validation }: ServerMetrics): DeclarativeObserver {
  return {
    mismatched: (detail) => {
      validation.mismatches.with({}).add();
      log.error(detail);
    },
    panicked: (error) => {
      validation.panics.with({}).add();
      log.error('panic during declarative validation', { error });
    },
  };
}

function openStore(
  { options, environment, closing }: WiringContext,
  needs: Pick<StorageNeeds, 'catalog' | 'gates' | 'transformers' | 'dialEtcd' | 'observeEtcdCall'>,
): Promise<Storage> {
  const { clock, log, store: given } = environment;
  const opening = openStorage({ options, clock, log, given, ...needs });
  closing.defer(() =>
    opening.then(
      (storage) => storage.close(),
      () => {},
    ),
  );
  return opening;
}

/** Loads encryption only if it is configured. */
async function loadEncryption(
  { options, environment, closing }: WiringContext,
  { catalog, gates, metrics }: { catalog: Catalog; gates: FeatureGates; metrics: ServerMetrics },
): Promise<EncryptionAtRest | undefined> {
  const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: reload } = options;
  if (path === undefined) return undefined;
  const { loadEncryptionAtRest } = await import('../encryption/encryption-at-rest.ts');
  const { clock, log } = environment;
  const isV1Allowed = gates.enabled('KMSv1');
  const encryption = await loadEncryptionAtRest({
    ...{ path, reload, clock, log, catalog, isV1Allowed },
    metrics: metrics.encryption,
  });
  closing.defer(() => encryption.stop());
  return encryption;
}

/** Loads proxies only if a file configures them. @throws ConfigurationError with kube-apiserver's message */
async function openEgress(
  { options, environment }: WiringContext,
  { binary }: Emulation,
  metrics: ServerMetrics,
): Promise<Egress> {
  const { egressSelectorConfigFile: path } = options;
  const { dial, clock, random } = environment;
  if (path === undefined) return { controlplane: dial, cluster: dial, etcd: undefined, selected: undefined };
  const { loadEgress } = await import('../access/egress-selector.ts');
  return loadEgress(path, { minor: binary.minor, dial, clock, random, metrics: metrics.egress });
}

/** Loads tracing only if it is configured. */
async function startTracing(
  { options, environment, closing }: WiringContext,
  emulation: Emulation,
  gates: FeatureGates,
): Promise<RequestSpans | undefined> {
  const { tracingConfigFile: path } = options;
  if (path === undefined) return undefined;
  if (!gates.enabled('APIServerTracing')) {
    throw new ConfigurationError('APIServerTracing feature is not enabled, but tracing config file was provided');
  }
  const { readTracingConfiguration } = await import('../tracing/tracing-configuration.ts');
  const configuration = await readTracingConfiguration(path);
  const need = { flag: '--tracing-config-file', packages: TRACE_PACKAGES };
  const { RequestSpans } = await withPackages(need, () => import('../tracing/request-spans.ts'));
  const { identityLeaseName } = await import('../../controllers/identity-lease.ts');
  const { clock, log, hostname } = environment;
  const needs = { clock, log, release: emulation.binary, instanceId: identityLeaseName(hostname) };
  const spans = new RequestSpans(configuration, needs);
  closing.defer(() => spans.close());
  return spans;
}

async function startAudit(
  { options, environment, limits, closing }: WiringContext,
  { audit: metrics, client }: ServerMetrics,
  dial: Dial,
): Promise<Auditor | undefined> {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = options;
  if ((auditPolicyFile ?? auditLogPath ?? auditWebhookConfigFile) === undefined) return undefined;
  const { startAudit } = await import('../audit/start-audit.ts');
  const auditor = await startAudit({
    ...{ ...environment, dial, options, limits, metrics, output: environment.outputs.out },
    observeCall: client.called,
  });
  closing.defer(() => auditor?.close());
  return auditor;
}
