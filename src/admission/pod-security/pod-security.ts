// The plugin PodSecurity: namespaces say by labels which of the Pod Security Standards their pods have to meet. Pods
// that do not are refused, told of in the audit event or warned of; what makes pods is not refused, for its pods meet the
// plugin later.

import type { AuditTrail } from '../../api/audit-trail.ts';
import { errors } from '../../api/errors.ts';
import type { ApiObject, Json } from '../../api/object.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import { type Soon, whenThere } from '../../base/soon.ts';
import type { FeatureGates } from '../../lifecycle/feature-gates.ts';
import type { PodSpecShape } from '../../resources/builtin/core/pod/shape.ts';
import { at, isObject } from '../../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { refusal } from '../concerns.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { type CheckedPod, checkedPod } from './check.ts';
import { existingPodWarnings } from './existing-pods.ts';
import {
  isSame,
  type LevelVersion,
  labelFaults,
  levelVersionText,
  type Policy,
  policyOf,
  strictness,
} from './policy.ts';
import { violations } from './standards.ts';

export interface PodSecurityOptions {
  readonly objects: ObjectLookup;
  readonly clock: Clock;
  readonly gates: FeatureGates;
}

interface PodSecurityNeeds {
  readonly objects: ObjectLookup;
  readonly clock: Clock;
  /** Whether a pod with users of its own may be root among them. */
  readonly trustsUserNamespaces: boolean;
}

const NAMESPACES = { group: '', resource: 'namespaces' };
const PODS = { group: '', resource: 'pods' };

/** Where the kinds that make pods keep the template. */
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

/** The subresources of pods that do change what a pod may do. */
const POD_SUBRESOURCES = new Set(['', 'ephemeralcontainers', 'resize']);

/** It only looks, and belongs behind all that changes objects or says what is valid. */
export function podSecurity({ objects, clock, gates }: PodSecurityOptions): AdmissionPlugin {
  const needs = { objects, clock, trustsUserNamespaces: gates.enabled('UserNamespacesPodSecurityStandards') };
  return {
    name: 'PodSecurity',
    admit(admission) {
      const { operation, object, request } = admission;
      if (object === undefined || (operation !== 'create' && operation !== 'update')) return undefined;
      const { group, resource } = request.definition;
      if (group === '' && resource === 'pods') {
        return POD_SUBRESOURCES.has(request.subresource) ? admitPod(needs, admission, object) : undefined;
      }
      if (request.subresource !== '') return undefined;
      if (group === '' && resource === 'namespaces') return admitNamespace(needs, admission, object);
      const template = TEMPLATES.get(resource);
      if (template === undefined || template.group !== group) return undefined;
      return warnOfTemplate(needs, admission, at(object, ...template.path));
    },
  };
}

/** @throws ApiError 422 for labels that cannot be read, if they have just come */
function admitNamespace(
  needs: PodSecurityNeeds,
  admission: AdmissionRequest,
  namespace: ApiObject,
): void | Promise<void> {
  const { request, previous } = admission;
  const name = request.name || namespace.metadata.name || '';
  const { labels } = namespace.metadata;
  const faults = labelFaults(labels);
  const standing = labelFaults(previous?.metadata.labels);
  if (faults.length > 0 && JSON.stringify(faults) !== JSON.stringify(standing)) {
    throw errors.invalid({ group: '', kind: 'Namespace', name }, faults);
  }
  if (previous === undefined) return undefined;
  const { enforce } = policyOf(labels);
  const before = policyOf(previous.metadata.labels).enforce;
  // At the same version a level that is not stricter finds nothing new.
  if (enforce.minor === before.minor && strictness(enforce) <= strictness(before)) return undefined;
  if (enforce.level === 'privileged') return undefined;
  return warnOfExisting(needs, admission, { name, enforce });
}

async function warnOfExisting(
  { objects, clock, trustsUserNamespaces }: PodSecurityNeeds,
  { request }: AdmissionRequest,
  { name, enforce }: { name: string; enforce: LevelVersion },
): Promise<void> {
  const deadline = clock.now() + limits.podSecurityCheckMs;
  const pods = await objects.all(PODS, name);
  request.warnings.push(
    ...existingPodWarnings({ namespace: name, pods, enforce, trustsUserNamespaces, clock, deadline }),
  );
}

/** @throws ApiError 403 for a pod that does not meet the level that is enforced */
function admitPod(needs: PodSecurityNeeds, admission: AdmissionRequest, pod: ApiObject): void | Promise<void> {
  return whenThere(policyIn(needs, admission.request.namespace), (policy) =>
    holdToPolicy(needs, admission, { policy, pod }),
  );
}

function holdToPolicy(
  needs: PodSecurityNeeds,
  admission: AdmissionRequest,
  { policy, pod }: { policy: Policy | undefined; pod: ApiObject },
): void {
  const { request, previous } = admission;
  if (policy === undefined) throw errors.internal(`failed to lookup namespace "${request.namespace}"`);
  const { enforce, audit, warn } = policy;
  if (isPrivileged(policy)) {
    request.audit?.annotate(ENFORCE_POLICY, 'privileged:latest');
    return;
  }
  if (previous !== undefined && !bringsNewImages(pod, previous)) return;
  const checked = checkedPod(pod, needs.trustsUserNamespaces);
  request.audit?.annotate(ENFORCE_POLICY, levelVersionText(enforce));
  if (request.audit !== undefined) auditBreaches(request.audit, audit, checked);
  const breaches = breachesText(enforce, checked);
  if (breaches !== undefined) throw refusal(admission, `violates ${breaches}`);
  if (!isSame(enforce, warn)) warnOf(admission, warn, checked);
}

async function warnOfTemplate(
  needs: PodSecurityNeeds,
  admission: AdmissionRequest,
  template: Json | undefined,
): Promise<void> {
  const policy = await policyIn(needs, admission.request.namespace);
  if (policy === undefined || !isObject(template)) return;
  const { audit } = admission.request;
  const isAudited = audit !== undefined && policy.audit.level !== 'privileged';
  if (policy.warn.level === 'privileged' && !isAudited) return;
  const checked = checkedPod(template, needs.trustsUserNamespaces);
  if (isAudited) auditBreaches(audit, policy.audit, checked);
  warnOf(admission, policy.warn, checked);
}

const ENFORCE_POLICY = 'pod-security.kubernetes.io/enforce-policy';
const AUDIT_VIOLATIONS = 'pod-security.kubernetes.io/audit-violations';

/** Whether nothing is looked at. */
function isPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === 'privileged');
}

function auditBreaches(audit: AuditTrail, level: LevelVersion, pod: CheckedPod): void {
  const breaches = breachesText(level, pod);
  if (breaches !== undefined) audit.annotate(AUDIT_VIOLATIONS, `would violate ${breaches}`);
}

function policyIn({ objects }: PodSecurityNeeds, name: string): Soon<Policy | undefined> {
  return whenThere(objects.find(NAMESPACES, '', name), (namespace) =>
    namespace === undefined ? undefined : policyOf(namespace.metadata.labels),
  );
}

function warnOf({ request }: AdmissionRequest, level: LevelVersion, pod: CheckedPod): void {
  const breaches = breachesText(level, pod);
  if (breaches !== undefined) request.warnings.push(`would violate ${breaches}`);
}

/** Undefined for a pod that meets the level. */
function breachesText(level: LevelVersion, pod: CheckedPod): string | undefined {
  const found = violations(level, pod);
  if (found.length === 0) return undefined;
  const told = found.map(({ reason, detail }) => `${reason} (${detail})`);
  return `PodSecurity "${levelVersionText(level)}": ${told.join(', ')}`;
}

/** What else may be changed of a pod gives it no power that it did not have. */
function bringsNewImages(pod: ApiObject, previous: ApiObject): boolean {
  const next = (pod['spec'] ?? {}) as PodSpecShape;
  const old = (previous['spec'] ?? {}) as PodSpecShape;
  if (differsInImages(next.containers, old.containers)) return true;
  if (differsInImages(next.initContainers, old.initContainers)) return true;
  const known = new Map(old.ephemeralContainers?.map(({ name, image }) => [name, image]));
  return next.ephemeralContainers?.some(({ name, image }) => !known.has(name) || known.get(name) !== image) ?? false;
}

function differsInImages(next: PodSpecShape['containers'], old: PodSpecShape['containers']): boolean {
  const before = old ?? [];
  const after = next ?? [];
  return after.length !== before.length || after.some(({ image }, index) => image !== before[index]?.image);
}
