// The admission chain of this server: which plugins there are, and in which order they look at a write.

import { afterChecks } from '../admission/after-checks.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from '../admission/certificate-signers.ts';
import { type Admission, AdmissionChain, type AdmissionPlugin } from '../admission/chain.ts';
import { defaultIngressClass } from '../admission/default-ingress-class.ts';
import { defaultStorageClass } from '../admission/default-storage-class.ts';
import { defaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { limitBounds, limitDefaults } from '../admission/limit-ranger.ts';
import { mutatingPhase } from '../admission/mutating-phase.ts';
import { namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { nodeRestriction } from '../admission/node-restriction/node-restriction.ts';
import type { ObjectLookup } from '../admission/object-lookup.ts';
import { podSecurity } from '../admission/pod-security/pod-security.ts';
import { parameterRights } from '../admission/policies/parameter-rights.ts';
import { validatingPolicies } from '../admission/policies/validating-policies.ts';
import { priority } from '../admission/priority.ts';
import { resourceQuota } from '../admission/resource-quota.ts';
import { roleEscalation } from '../admission/role-escalation.ts';
import { runtimeClass, runtimeOverhead } from '../admission/runtime-class.ts';
import { serviceAccount } from '../admission/service-account.ts';
import { taintNodesByCondition } from '../admission/taint-nodes-by-condition.ts';
import { type AdmissionObserver, timed, timedAdmission } from '../admission/timed.ts';
import { validatingWebhooks } from '../admission/webhooks/validating-webhooks.ts';
import type { Authorizer } from '../auth/authz/authorizer.ts';
import type { RbacAuthorizer } from '../auth/authz/rbac.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { AuthorizationAnswer, AuthorizationQuestion } from '../expressions/authorizer.ts';
import type { AdmissionType } from '../lifecycle/admission-metrics.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { WebhookCaller } from '../outbound/webhook-call.ts';
import type { Catalog } from '../resources/catalog.ts';
import { generatedName } from '../verbs/object-metadata.ts';
import type { Registry } from '../verbs/registry.ts';
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
}

/** The plugins, in the order in which Kubernetes runs them: those that change the object, then those that only judge. */
export function admissionChain(needs: AdmissionNeeds): Admission {
  const { rbac } = needs;
  const authorizer = { authorize: (question: AuthorizationQuestion) => answer(question, rbac) };
  const asking = { ...needs, authorizer };
  const { mutating, validating } = needs.webhooks;
  const timedAs = (type: AdmissionType) => (plugin: AdmissionPlugin) => timed(plugin, type, needs);
  const changes = changing(needs).map(timedAs('admit'));
  const judges = [validatingPolicies(asking), validatingWebhooks({ ...asking, webhooks: validating })].map(
    timedAs('validate'),
  );
  const checks = [parameterRights(needs), ...judging(needs).map(timedAs('validate')), ...judges];
  const phase = mutatingPhase({ webhooks: { ...asking, webhooks: mutating }, policies: asking, earlier: changes });
  const chain = new AdmissionChain(
    [...changes, phase, ...checking(needs).map(timedAs('validate'))],
    afterChecks(checks, resourceQuota(quotaLedger(needs))),
    judges,
  );
  return timedAdmission(chain, needs);
}

/** What an expression asks of authorization, put to RBAC. */
function answer(question: AuthorizationQuestion, rbac: RbacAuthorizer): AuthorizationAnswer {
  const { subject: user, verb } = question;
  const isResourceRequest = question.kind === 'resource';
  const { group, resource, subresource, namespace, name } = isResourceRequest ? question : NO_RESOURCE;
  const path = isResourceRequest ? '' : question.path;
  const version = '*';
  return rbac.authorize({
    user,
    verb,
    isResourceRequest,
    path,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  });
}

const NO_RESOURCE = { group: '', resource: '', subresource: '', namespace: '', name: '' };

function changing({ objects, random, authorizer, gates }: AdmissionNeeds): AdmissionPlugin[] {
  return [
    namespaceLifecycle((name) => objects.find({ group: '', resource: 'namespaces' }, '', name)),
    limitDefaults(objects),
    serviceAccount({ objects, nameFrom: (prefix) => generatedName(prefix, random) }),
    nodeRestriction({ objects, authorizer, gateEnabled: (gate) => gates.enabled(gate) }),
    taintNodesByCondition,
    priority(objects),
    defaultTolerationSeconds,
    defaultStorageClass(objects),
    runtimeClass(objects),
    defaultIngressClass(objects),
  ];
}

/** What changes nothing, but must not wait until the object is complete. */
function checking({ rbac }: AdmissionNeeds): AdmissionPlugin[] {
  return [certificateApproval(rbac), certificateSigning(rbac), roleEscalation(rbac)];
}

function judging({ clock, gates, objects }: AdmissionNeeds): AdmissionPlugin[] {
  return [
    certificateSubjectRestriction,
    limitBounds({ objects, podLevelResources: gates.enabled('PodLevelResources') }),
    podSecurity({ objects, clock, gates }),
    runtimeOverhead(objects),
  ];
}
