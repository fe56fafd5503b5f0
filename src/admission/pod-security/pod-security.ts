// The plugin PodSecurity: enforces the Pod Security Standard in a namespace's labels. Pods that violate it are
// rejected, recorded in the audit event or reported by a warning; workloads are never rejected, because their pods are
// evaluated later.

import { errors, type FieldError, fieldErrorBody } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import { errorList } from '../../base/error-list.ts';
import { limits } from '../../base/limits.ts';
import type { ShortTurns } from '../../base/short-turns.ts';
import { type Soon, whenThere } from '../../base/soon.ts';
import { inTurns } from '../../base/steps.ts';
import type { FeatureGates } from '../../lifecycle/feature-gates.ts';
import type { PodSecurityMetrics } from '../../lifecycle/pod-security-metrics.ts';
import type { PodSpec } from '../../resources/builtin/core/pod/objects.ts';
import { at, textAt } from '../../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { isOf, NAMESPACES, PODS } from '../resources.ts';
import { type Checking, checkedPod } from './check.ts';
import type { PodSecurityConfiguration } from './configuration.ts';
import { countedRequest, PodEvaluation } from './evaluation.ts';
import { existingPodWarnings } from './existing-pods.ts';
import {
  ignoredPolicyText,
  type LevelVersion,
  labelFaults,
  levelVersionText,
  type Policy,
  policyOf,
  strictness,
} from './policy.ts';

interface PodSecurityOptions {
  readonly objects: ObjectLookup;
  readonly clock: Clock;
  readonly turns: Pick<ShortTurns, 'begin'>;
  readonly gates: FeatureGates;
  readonly configuration: PodSecurityConfiguration;
  readonly metrics: PodSecurityMetrics;
}

interface PodSecurityNeeds {
  readonly objects: ObjectLookup;
  readonly clock: Clock;
  readonly turns: Pick<ShortTurns, 'begin'>;
  readonly configuration: PodSecurityConfiguration;
  readonly metrics: PodSecurityMetrics;
  /** Whether a pod with a user namespace may run as root within it. */
  readonly trustsUserNamespaces: boolean;
}

/** Where workloads have their pod template. */
const TEMPLATES: ReadonlyMap<string, { readonly group: string; readonly path: readonly string[] }> = new Map([
  ['replicationcontrollers', { group: '', path: ['spec', 'template'] }],
  ['podtemplates', { group: '', path: ['template'] }],
  ['replicasets', { group: 'apps', path: ['spec', 'template'] }],
  ['deployments', { group: 'apps', path: ['spec', 'template'] }],
  ['statefulsets', { group: 'apps', path: ['spec', 'template'] }],
  ['daemonsets', { group: 'apps', path: ['spec', 'template'] }],
  ['jobs', { group: 'batch', path: ['spec', 'template'] }],
  ['cronjobs', { group: 'batch', path: ['spec', 'jobTemplate', 'spec', 'template'] }],
]);

/** The subresources of pods that change what a pod may do. */
const POD_SUBRESOURCES = new Set(['', 'ephemeralcontainers', 'resize']);

/** Validating only; runs after everything that changes objects. */
export function podSecurity({ gates, ...options }: PodSecurityOptions): AdmissionPlugin {
  const needs: PodSecurityNeeds = {
    ...options,
    trustsUserNamespaces: gates.enabled('UserNamespacesPodSecurityStandards'),
  };
  return {
    name: 'PodSecurity',
    admit(admission) {
      const { operation, object, request } = admission;
      if (object === undefined || (operation !== 'create' && operation !== 'update')) return undefined;
      const { definition } = request;
      if (isOf(PODS, definition)) {
        return POD_SUBRESOURCES.has(request.subresource) ? admitPod(needs, admission, object) : undefined;
      }
      if (request.subresource !== '') return undefined;
      if (isOf(NAMESPACES, definition)) return admitNamespace(needs, admission, object);
      const template = TEMPLATES.get(definition.resource);
      if (template === undefined || template.group !== definition.group) return undefined;
      return warnOfTemplate(needs, admission, at(object, ...template.path));
    },
  };
}

/** @throws ApiError 422 for invalid labels that are new */
function admitNamespace(needs: PodSecurityNeeds, admission: AdmissionRequest, namespace: ApiObject): Soon<void> {
  const { request, previous } = admission;
  const name = request.name || namespace.metadata.name || '';
  const { labels } = namespace.metadata;
  const faults = labelFaults(labels);
  const standing = labelFaults(previous?.metadata.labels);
  if (faults.length > 0 && JSON.stringify(faults) !== JSON.stringify(standing)) {
    throw errors.invalid({ group: '', kind: 'Namespace', name }, faults);
  }
  const { defaults, exemptions } = needs.configuration;
  if (previous === undefined) {
    if (exemptions.namespaces.includes(name)) warnOfExemption(needs, admission, { name, labels });
    return undefined;
  }
  const { enforce } = policyOf(labels, defaults);
  const before = policyOf(previous.metadata.labels, defaults).enforce;
  // At the same version, a level that is not stricter finds no new violations.
  if (enforce.minor === before.minor && strictness(enforce) <= strictness(before)) return undefined;
  if (enforce.level === 'privileged') return undefined;
  if (!exemptions.namespaces.includes(name)) return warnOfExisting(needs, admission, { name, enforce });
  warnOfExemption(needs, admission, { name, labels });
  return undefined;
}

/** A warning that the policy of an exempt namespace has no effect. */
function warnOfExemption(
  { configuration }: PodSecurityNeeds,
  { request }: AdmissionRequest,
  { name, labels }: { name: string; labels: ApiObject['metadata']['labels'] },
): void {
  const ignored = ignoredPolicyText(labels, configuration.defaults);
  if (ignored === undefined) return;
  const why = `and the policy (${ignored}) will be ignored`;
  request.warnings.push(`namespace ${JSON.stringify(name)} is exempt from Pod Security, ${why}`);
}

function checkingOf({ trustsUserNamespaces }: PodSecurityNeeds, { request }: AdmissionRequest): Checking {
  return { trustsUserNamespaces, minor: request.definition.minor };
}

async function warnOfExisting(
  { objects, clock, turns, trustsUserNamespaces, configuration }: PodSecurityNeeds,
  { request }: AdmissionRequest,
  { name, enforce }: { name: string; enforce: LevelVersion },
): Promise<void> {
  const deadline = clock.now() + limits.podSecurityCheckMs;
  const checking = { trustsUserNamespaces, minor: request.definition.minor };
  const all = await objects.all(PODS, name);
  const { runtimeClasses } = configuration.exemptions;
  const pods = all.filter((pod) => !runtimeClasses.includes(textAt(pod, 'spec', 'runtimeClassName')));
  const turn = turns.begin({ taskName: 'Pod Security of existing pods' });
  const warnings = existingPodWarnings({ namespace: name, pods, enforce, checking, clock, deadline });
  request.warnings.push(...(await inTurns(warnings, turn)));
}

/** @throws ApiError 403 for a pod that violates the enforced level */
function admitPod(needs: PodSecurityNeeds, admission: AdmissionRequest, pod: ApiObject): Soon<void> {
  if (isExempt(needs, admission)) return undefined;
  return whenThere(policyIn(needs, admission.request.namespace), (found) =>
    holdToPolicy(needs, admission, { found, pod }),
  );
}

function holdToPolicy(
  needs: PodSecurityNeeds,
  admission: AdmissionRequest,
  { found, pod }: { found: NamespacePolicy | undefined; pod: ApiObject },
): void {
  const { request, previous } = admission;
  const counted = countedRequest(admission);
  if (found === undefined) {
    needs.metrics.failed(counted, true);
    throw errors.internal(`failed to lookup namespace "${request.namespace}"`);
  }
  const { policy, faults } = found;
  const { enforce, audit, warn } = policy;
  if (isPrivileged(policy) && faults.length === 0) {
    needs.metrics.evaluated(counted, { mode: 'enforce', allowed: true, ...enforce });
    request.audit?.annotate(ENFORCE_POLICY, 'privileged:latest');
    return;
  }
  if (previous !== undefined && !bringsNewImages(pod, previous)) return;
  if (isOfExemptClass(needs, admission, at(pod, 'spec', 'runtimeClassName'))) return;
  tellFaults(needs, admission, faults);
  request.audit?.annotate(ENFORCE_POLICY, levelVersionText(enforce));
  const evaluation = new PodEvaluation(checkedPod(pod, checkingOf(needs, admission)), counted, needs.metrics);
  const breaches = evaluation.breaches('enforce', enforce);
  auditBreaches(admission, audit, evaluation);
  if (breaches !== undefined) throw refusal(admission, `violates ${breaches}`);
  warnOf(admission, warn, evaluation);
}

async function warnOfTemplate(
  needs: PodSecurityNeeds,
  admission: AdmissionRequest,
  template: Json | undefined,
): Promise<void> {
  if (isExempt(needs, admission)) return;
  const found = await policyIn(needs, admission.request.namespace);
  if (found === undefined || !isObject(template)) return;
  const { policy, faults } = found;
  const { audit, warn } = policy;
  if (warn.level === 'privileged' && audit.level === 'privileged' && faults.length === 0) return;
  if (isOfExemptClass(needs, admission, at(template, 'spec', 'runtimeClassName'))) return;
  tellFaults(needs, admission, faults);
  const checked = checkedPod(template, checkingOf(needs, admission));
  const evaluation = new PodEvaluation(checked, countedRequest(admission), needs.metrics);
  auditBreaches(admission, audit, evaluation);
  warnOf(admission, warn, evaluation);
}

const ENFORCE_POLICY = 'pod-security.kubernetes.io/enforce-policy';
const ERROR = 'pod-security.kubernetes.io/error';
const EXEMPT = 'pod-security.kubernetes.io/exempt';
const AUDIT_VIOLATIONS = 'pod-security.kubernetes.io/audit-violations';

/** Whether pods in this namespace, or of this user, are exempt. */
function isExempt({ configuration, metrics }: PodSecurityNeeds, admission: AdmissionRequest): boolean {
  const { request } = admission;
  const { namespaces, usernames } = configuration.exemptions;
  const isOfNamespace = namespaces.includes(request.namespace);
  if (!isOfNamespace && !usernames.includes(request.user.name)) return false;
  request.audit?.annotate(EXEMPT, isOfNamespace ? 'namespace' : 'user');
  metrics.exempted(countedRequest(admission));
  return true;
}

function isOfExemptClass(
  { configuration, metrics }: PodSecurityNeeds,
  admission: AdmissionRequest,
  runtimeClass: Json | undefined,
): boolean {
  if (typeof runtimeClass !== 'string' || !configuration.exemptions.runtimeClasses.includes(runtimeClass)) return false;
  admission.request.audit?.annotate(EXEMPT, 'runtimeClass');
  metrics.exempted(countedRequest(admission));
  return true;
}

function tellFaults({ metrics }: PodSecurityNeeds, admission: AdmissionRequest, faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  metrics.failed(countedRequest(admission), false);
  const texts = faults.map((fault) => `${fault.field}: ${fieldErrorBody(fault)}`);
  admission.request.audit?.annotate(ERROR, `Failed to parse policy: ${errorList(texts)}`);
}

/** Whether nothing is evaluated. */
function isPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === 'privileged');
}

/** Evaluated even without an audit event, because it is counted. */
function auditBreaches({ request }: AdmissionRequest, level: LevelVersion, evaluation: PodEvaluation): void {
  const breaches = evaluation.breaches('audit', level);
  if (breaches !== undefined) request.audit?.annotate(AUDIT_VIOLATIONS, `would violate ${breaches}`);
}

interface NamespacePolicy {
  readonly policy: Policy;
  /** The invalid labels. */
  readonly faults: readonly FieldError[];
}

function policyIn({ objects, configuration }: PodSecurityNeeds, name: string): Soon<NamespacePolicy | undefined> {
  return whenThere(objects.find(NAMESPACES, '', name), (namespace) => {
    if (namespace === undefined) return undefined;
    const { labels } = namespace.metadata;
    return { policy: policyOf(labels, configuration.defaults), faults: labelFaults(labels) };
  });
}

function warnOf({ request }: AdmissionRequest, level: LevelVersion, evaluation: PodEvaluation): void {
  const breaches = evaluation.breaches('warn', level);
  if (breaches !== undefined) request.warnings.push(`would violate ${breaches}`);
}

/** No other change to a pod can give it more privileges. */
function bringsNewImages(pod: ApiObject, previous: ApiObject): boolean {
  const next = (pod['spec'] ?? {}) as PodSpec;
  const old = (previous['spec'] ?? {}) as PodSpec;
  if (differsInImages(next.containers, old.containers)) return true;
  if (differsInImages(next.initContainers, old.initContainers)) return true;
  const known = new Map(old.ephemeralContainers?.map(({ name, image }) => [name, image]));
  return next.ephemeralContainers?.some(({ name, image }) => !known.has(name) || known.get(name) !== image) ?? false;
}

function differsInImages(next: PodSpec['containers'], old: PodSpec['containers']): boolean {
  const before = old ?? [];
  const after = next ?? [];
  return after.length !== before.length || after.some(({ image }, index) => image !== before[index]?.image);
}
