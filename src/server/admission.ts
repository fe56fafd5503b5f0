// The admission chain of this server: its plugins and their order.

import { afterChecks } from '../admission/after-checks.ts';
import { alwaysDeny } from '../admission/always-deny.ts';
import { alwaysPullImages, pulledImages } from '../admission/always-pull-images.ts';
import { certificateDurations } from '../admission/certificate-durations.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
  podCertificateSigning,
} from '../admission/certificate-signers.ts';
import { type Admission, AdmissionChain, type AdmissionPlugin, type ValidatingPlugin } from '../admission/chain.ts';
import { claimStatusRights } from '../admission/claim-status-rights.ts';
import { defaultIngressClass } from '../admission/default-ingress-class.ts';
import { defaultStorageClass } from '../admission/default-storage-class.ts';
import { defaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { denyServiceExternalIps } from '../admission/deny-service-external-ips.ts';
import { eventRateLimit } from '../admission/event-rate-limit.ts';
import { extendedResourceToleration } from '../admission/extended-resource-toleration.ts';
import { imagePolicy } from '../admission/image-policy.ts';
import { jobValidation } from '../admission/job-validation.ts';
import { limitPodHardAntiAffinityTopology } from '../admission/limit-pod-hard-anti-affinity-topology.ts';
import { limitBounds, limitDefaults } from '../admission/limit-ranger.ts';
import { mutatingPhase } from '../admission/mutating-phase.ts';
import { namespaceAutoProvision } from '../admission/namespace-auto-provision.ts';
import { namespaceExists } from '../admission/namespace-exists.ts';
import { namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { nodeDeclaredFeatures } from '../admission/node-declared-features.ts';
import { nodeRestriction } from '../admission/node-restriction/node-restriction.ts';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import { ownerReferencesPermissionEnforcement } from '../admission/owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from '../admission/persistent-volume-claim-resize.ts';
import type { PluginConfiguration } from '../admission/plugin-configuration.ts';
import { inOrder } from '../admission/plugin-names.ts';
import { podGroupProtection } from '../admission/pod-group-protection.ts';
import { podGroupWorkloadExists } from '../admission/pod-group-workload-exists.ts';
import { keptNodeSelector, podNodeSelector } from '../admission/pod-node-selector.ts';
import { podResizeValidator } from '../admission/pod-resize.ts';
import { podSecurity } from '../admission/pod-security/pod-security.ts';
import { keptTolerations, podTolerationRestriction } from '../admission/pod-toleration-restriction.ts';
import { podTopologyLabels } from '../admission/pod-topology-labels.ts';
import { parameterRights } from '../admission/policies/parameter-rights.ts';
import { validatingPolicies } from '../admission/policies/validating-policies.ts';
import { onlyDefaultClass, priority } from '../admission/priority.ts';
import { resourceQuota } from '../admission/resource-quota.ts';
import { roleEscalation } from '../admission/role-escalation.ts';
import { runtimeClass, runtimeOverhead } from '../admission/runtime-class.ts';
import { serviceAccount, validServiceAccount } from '../admission/service-account.ts';
import { storageObjectInUseProtection } from '../admission/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from '../admission/taint-nodes-by-condition.ts';
import { type AdmissionObserver, timed, timedAdmission, timedLast } from '../admission/timed.ts';
import { validatingWebhooks } from '../admission/webhooks/validating-webhooks.ts';
import type { ApiObject } from '../api/object.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import type { RbacAuthorizer } from '../auth/authz/rbac.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { Soon } from '../base/soon.ts';
import type { AdmissionType } from '../lifecycle/admission-metrics.ts';
import type { ReleaseOptions } from '../lifecycle/emulated-version.ts';
import type { FeatureGateName } from '../lifecycle/feature-gate-table.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { WebhookCaller } from '../outbound/webhook-call.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { generatedName } from '../verbs/object-metadata.ts';
import type { Registry } from '../verbs/registry.ts';
import { createNamespace } from './create-namespace.ts';
import { type AdmissionOptions, chosenPlugins } from './options/admission.ts';
import type { AdmissionPolicies } from './policy-feed.ts';
import { quotaLedger } from './quota-ledger.ts';
import type { AdmissionWebhooks } from './webhook-feed.ts';

export interface AdmissionNeeds extends AdmissionPolicies, AdmissionObserver {
  readonly random: Random;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly gates: FeatureGates;
  readonly objects: ObjectLookup;
  readonly authorizer: Authorizer;
  readonly rbac: RbacAuthorizer;
  readonly webhooks: AdmissionWebhooks;
  readonly caller: WebhookCaller;
  readonly log: Log;
  readonly options: AdmissionOptions & Pick<ReleaseOptions, 'kubernetesVersion'>;
  readonly configuration: PluginConfiguration;
  /** The whole chain, for writes by plugins themselves. */
  readonly admission: Admission;
}

/** The enabled plugins in Kubernetes' order: mutating ones first, then validating ones. */
export function admissionChain(needs: AdmissionNeeds): Admission {
  const { configuration } = needs;
  const { mutating, validating } = needs.webhooks;
  const on = choice(needs.options);
  const enabled = chosenPlugins(needs.options);
  const timedAs = (type: AdmissionType) => (plugins: readonly AdmissionPlugin[]) =>
    on(plugins).map((plugin) => timed(plugin, type, needs));
  const [admitting, judgingBy] = [timedAs('admit'), timedAs('validate')];
  const changes = admitting(mutatingPlugins(needs));
  const validators = judgingBy(validatingPlugins(needs));
  const checks = [podCertificateSigning(needs.authorizer), parameterRights(needs), ...validators];
  const phase = mutatingPhase({
    webhooks: { ...needs, webhooks: mutating, users: configuration.mutatingWebhookUsers },
    policies: needs,
    earlier: changes,
    hasWebhooks: enabled.has('MutatingAdmissionWebhook'),
    hasPolicies: enabled.has('MutatingAdmissionPolicy'),
  });
  const [quota = NOTHING_LAST] = on([resourceQuota(quotaLedger(needs), configuration.limitedResources)]).map((plugin) =>
    timedLast(plugin, needs),
  );
  const chain = new AdmissionChain(
    [...changes, phase, roleEscalation({ ...needs, turns: needs.registry.turns }), ...admitting([alwaysDeny])],
    afterChecks(checks, certificateDurations(needs.metrics.certificates, quota)),
    [...validators, ...judgingBy([countingNothing(quota)])],
  );
  const { policies, mutatingPolicies } = needs;
  const hasWebhooksOrPolicies = () =>
    [mutating, validating].some(({ webhooks }) => webhooks.length > 0) ||
    [policies, mutatingPolicies].some(({ isEmpty }) => !isEmpty);
  const rights = claimStatusRights(needs.authorizer, needs.gates);
  return { ...timedAdmission(chain, rights, needs), hasWebhooksOrPolicies };
}

/** ResourceQuota for a request that stores nothing: metrics count it, and it has nothing to charge. */
function countingNothing({ name }: ValidatingPlugin): AdmissionPlugin {
  return { name, admit: () => {} };
}

/** Filters out plugins that are not enabled. */
function choice(
  options: AdmissionNeeds['options'],
): <T extends { readonly name: string }>(plugins: readonly T[]) => T[] {
  const enabled: ReadonlySet<string> = chosenPlugins(options);
  return (plugins) => plugins.filter(({ name }) => enabled.has(name));
}

const NOTHING_LAST: ValidatingPlugin = { name: '', validate: () => {} };

function namespaceLookup({ objects }: AdmissionNeeds): (name: string) => Soon<ApiObject | undefined> {
  return (name) => objects.find({ group: '', resource: 'namespaces' }, '', name);
}

/** All mutating plugins but those of policies and webhooks, in Kubernetes' order. */
function mutatingPlugins(needs: AdmissionNeeds): AdmissionPlugin[] {
  const { objects, random, authorizer, gates, options, configuration, registry, admission, catalog } = needs;
  const namespaceOf = namespaceLookup(needs);
  const gateEnabled = (gate: FeatureGateName) => gates.enabled(gate);
  return inOrder<AdmissionPlugin>([
    namespaceAutoProvision({
      namespaceOf,
      createNamespace: (name) => createNamespace({ registry, admission }, catalog, name),
    }),
    namespaceLifecycle(namespaceOf),
    limitDefaults({ objects }),
    serviceAccount({ objects, nameFrom: (prefix) => generatedName(prefix, random) }),
    nodeRestriction({ objects, authorizer, gateEnabled }),
    taintNodesByCondition,
    alwaysPullImages,
    podNodeSelector({ namespaceOf, selectors: configuration.nodeSelectors }),
    priority(objects, gateEnabled),
    defaultTolerationSeconds({
      notReady: options.defaultNotReadyTolerationSeconds,
      unreachable: options.defaultUnreachableTolerationSeconds,
    }),
    podTolerationRestriction({ namespaceOf, ...configuration.tolerations }),
    extendedResourceToleration,
    defaultStorageClass(objects),
    storageObjectInUseProtection(gateEnabled('VolumeAttributesClass')),
    podGroupProtection(gateEnabled('GenericWorkload')),
    runtimeClass(objects),
    defaultIngressClass(objects),
    podTopologyLabels(objects, gateEnabled('PodTopologyLabelsAdmission')),
  ]);
}

/**
 * All validating plugins but ResourceQuota, in Kubernetes' order. They see every request for the operations that they
 * handle, whether it stores an object or, as deletions and connects, does not.
 */
function validatingPlugins(needs: AdmissionNeeds): AdmissionPlugin[] {
  const { clock, gates, objects, authorizer, configuration, catalog, metrics } = needs;
  const namespaceOf = namespaceLookup(needs);
  return inOrder<AdmissionPlugin>([
    namespaceExists(namespaceOf),
    limitPodHardAntiAffinityTopology,
    limitBounds({ objects, podLevelResources: gates.enabled('PodLevelResources') }),
    validServiceAccount({ objects }),
    pulledImages,
    imagePolicy(configuration.imagePolicy, clock),
    podSecurity({
      ...{ objects, clock, gates, turns: needs.registry.turns },
      ...{ configuration: configuration.podSecurity, metrics: metrics.podSecurity },
    }),
    keptNodeSelector({ namespaceOf, selectors: configuration.nodeSelectors }),
    onlyDefaultClass(objects),
    keptTolerations({ namespaceOf, ...configuration.tolerations }),
    eventRateLimit(configuration.eventRates),
    ownerReferencesPermissionEnforcement({
      authorizer,
      resourceOf: (apiVersion, kind) => resourceOfKind(catalog, apiVersion, kind),
    }),
    persistentVolumeClaimResize(objects),
    runtimeOverhead(objects),
    certificateApproval(authorizer),
    certificateSigning(authorizer),
    clusterTrustBundleAttest(authorizer),
    certificateSubjectRestriction,
    denyServiceExternalIps,
    podGroupWorkloadExists(objects, gates.enabled('GenericWorkload')),
    nodeDeclaredFeatures(objects, { gateEnabled: (gate) => gates.enabled(gate), turns: needs.registry.turns }),
    jobValidation(objects, gates.enabled('GenericWorkload')),
    podResizeValidator(objects, gates.enabled('InPlacePodVerticalScaling')),
    validatingPolicies(needs),
    validatingWebhooks({
      ...needs,
      webhooks: needs.webhooks.validating,
      users: configuration.validatingWebhookUsers,
    }),
  ]);
}

/** The main resource of a kind; undefined if it is not served. */
function resourceOfKind(catalog: Catalog, apiVersion: string, kind: string): ResourceDefinition | undefined {
  const slash = apiVersion.indexOf('/');
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
  return catalog.definitions.find(
    (each) => each.group === group && each.kind === kind && catalog.lookup(group, version, each.resource) !== undefined,
  );
}
