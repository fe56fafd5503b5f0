// Validation of StatefulSets and their updates.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { IMMUTABLE, validateAnnotations, validateLabels } from '../../../api/metadata-validation.ts';
import { labelFaults } from '../../../api/names.ts';
import type { Json, JsonObject } from '../../../api/object.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { StrategyContext } from '../../definition.ts';
import { validateCounts } from '../../validation/counts.ts';
import { faultErrors, validateChoice, validateImmutable } from '../../validation/field-rules.ts';
import {
  CLAIM_TEMPLATE,
  inGoForm,
  ROLLING_UPDATE_STATEFUL_SET,
  STATEFUL_SET_UPDATE_STRATEGY,
} from '../../validation/go-form.ts';
import { validateAtMostAll, validateIntOrPercent } from '../../validation/int-or-percent.ts';
import { keepable } from '../../validation/kept-faults.ts';
import {
  compiledSelector,
  isEmptySelector,
  type LabelSelectorFields,
  TEMPLATE_MISMATCH,
  validateLabelSelector,
} from '../../validation/label-selector.ts';
import { validateClaimSpec } from '../core/persistent-volume-claim/validation.ts';
import { claimSpecWarnings } from '../core/persistent-volume-claim/warnings.ts';
import type { PodTemplateSpec } from '../core/pod/objects.ts';
import type { PodRules } from '../core/pod/pod-rules.ts';
import { validatePodTemplate } from '../core/pod/validation.ts';
import { validatePodAnnotations } from '../core/pod/validation-annotations.ts';
import type { Volume } from '../core/volume/objects.ts';
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from './v1-objects.ts';
import { validateKeptRunning } from './validation.ts';

/** The first minor release of Kubernetes 1 that validates templates of pods and claims as such. */
const WHOLE_TEMPLATES = 34;
/** The first one that validates names of services. */
const SERVICE_NAMES = 33;
/** The first one in which revision limits may change. */
const REVISION_LIMITS = 33;

/** A create; includes fields that are immutable afterwards. */
export function validateNewStatefulSet(set: StatefulSet, rules?: PodRules): FieldError[] {
  return validateStatefulSet(set, rules, true);
}

export function validateStatefulSet({ spec }: StatefulSet, rules: PodRules = {}, isNew = false): FieldError[] {
  const found = [
    ...validatePodManagement(spec?.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(spec?.updateStrategy, rules.gateEnabled?.('StatefulSetRecreateStrategy') === true),
    ...validateRetention(spec?.persistentVolumeClaimRetentionPolicy),
    ...(isNew && isSince(rules, WHOLE_TEMPLATES) ? validateClaimTemplates(spec) : []),
    ...validateCounts(spec, ['replicas', 'minReadySeconds'], 'spec'),
    ...validateCounts(spec?.ordinals, ['start'], 'spec.ordinals'),
  ];
  const service = spec?.serviceName ?? '';
  if (isNew && service !== '' && isSince(rules, SERVICE_NAMES))
    found.push(...faultErrors(labelFaults(service), service, 'spec.serviceName'));
  const selector = spec?.selector ?? undefined;
  if (selector === undefined) found.push(fieldError.required('spec.selector'));
  else {
    found.push(...validateLabelSelector(selector, 'spec.selector'));
    if (isEmptySelector(selector)) {
      found.push(fieldError.invalid('spec.selector', selector, 'empty selector is invalid for statefulset'));
    }
  }
  return [...found, ...validateTemplate(spec, selector, rules), ...validateKeptRunning(spec, 'StatefulSet')];
}

function validatePodManagement(policy: string): FieldError[] {
  const field = 'spec.podManagementPolicy';
  if (policy === '') return [fieldError.required(field)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [fieldError.invalid(field, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy(strategy: StatefulSetUpdateStrategy | undefined, mayRecreate: boolean): FieldError[] {
  const field = 'spec.updateStrategy';
  const here = `${field}.rollingUpdate`;
  const { type = '', rollingUpdate: rolling } = strategy ?? {};
  if (type === '') return [fieldError.required(field)];
  if (type === 'RollingUpdate') return rolling === undefined ? [] : validateRolling(rolling, here);
  if (type === 'OnDelete' || (type === 'Recreate' && mayRecreate)) {
    if (rolling === undefined) return [];
    const value = inGoForm(rolling, ROLLING_UPDATE_STATEFUL_SET);
    return [fieldError.invalid(here, value, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  const choices = mayRecreate ? "'RollingUpdate', 'OnDelete', or 'Recreate'" : "'RollingUpdate' or 'OnDelete'";
  const found = [fieldError.invalid(field, inGoForm(strategy, STATEFUL_SET_UPDATE_STRATEGY), `must be ${choices}`)];
  return type === 'Recreate' ? keepable('recreate', found) : found;
}

function validateRolling(rolling: RollingUpdateStatefulSetStrategy, field: string): FieldError[] {
  const found = validateCounts(rolling, ['partition'], field);
  const unavailable = rolling.maxUnavailable;
  if (unavailable === undefined) return found;
  const here = `${field}.maxUnavailable`;
  found.push(...validateIntOrPercent(unavailable, here));
  // What cannot be read counts as none.
  if ((Number.parseInt(String(unavailable), 10) || 0) === 0) {
    found.push(fieldError.invalid(here, unavailable, 'cannot be 0'));
  }
  return [...found, ...validateAtMostAll(unavailable, here)];
}

function validateRetention(policy: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined): FieldError[] {
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((when) =>
    validateChoice(policy[when] ?? '', ['Retain', 'Delete'], `spec.persistentVolumeClaimRetentionPolicy.${when}`),
  );
}

/** The template is validated like the resulting pods: with a volume for each claim; in earlier releases hardly. */
function validateTemplate(
  spec: StatefulSetSpec | undefined,
  selector: LabelSelectorFields | undefined,
  rules: PodRules,
): FieldError[] {
  const field = 'spec.template';
  const compiled = compiledSelector(selector);
  if (compiled === undefined) return [fieldError.invalid('spec.selector', selector, '')];
  const template = spec?.template;
  const labels = template?.metadata?.labels;
  const annotations = template?.metadata?.annotations;
  const found: FieldError[] = [];
  if (!compiled.empty && !compiled.matches(labels)) {
    found.push(fieldError.invalid(`${field}.metadata.labels`, labels ?? null, TEMPLATE_MISMATCH));
  }
  // Kubernetes validates the metadata here and again with the template.
  return [
    ...found,
    ...(isSince(rules, WHOLE_TEMPLATES) ? validatePodTemplate(withClaims(spec, template), field, rules) : []),
    ...validateLabels(labels, `${field}.labels`),
    ...validateAnnotations(annotations, `${field}.annotations`),
    ...validatePodAnnotations(annotations ?? {}, (template?.spec ?? {}) as object, {
      field: `${field}.annotations`,
      rules,
    }),
  ];
}

function withClaims(
  spec: StatefulSetSpec | undefined,
  template: PodTemplateSpec | undefined,
): PodTemplateSpec | undefined {
  const claimed = new Set((spec?.volumeClaimTemplates ?? []).map(({ metadata }) => metadata?.name ?? ''));
  const claims = [...claimed].map((name): Volume => ({ name, persistentVolumeClaim: { claimName: name } }));
  if (template === undefined) return template;
  // Pod names are derived from the set's name.
  const { hostname: _host, subdomain: _sub, ...pod } = template.spec ?? {};
  if (claims.length === 0) return { ...template, spec: pod };
  const others = (pod.volumes ?? []).filter(({ name }) => name === undefined || !claimed.has(name));
  return { ...template, spec: { ...pod, volumes: [...claims, ...others] } };
}

function validateClaimTemplates(spec: StatefulSetSpec | undefined): FieldError[] {
  return (spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
    validateClaimSpec(claim.spec, `spec.volumeClaimTemplates[${index}].spec`),
  );
}

const MAY_CHANGE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

const FIXED = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const;

/** The first minor release of Kubernetes 1 whose errors name the fields that changed, and not those that may change. */
const TELLS_FIELDS = 37;

/** Most of a StatefulSet is immutable. */
export function validateStatefulSetUpdate(
  next: StatefulSet,
  previous: StatefulSet,
  context: Pick<StrategyContext, 'minor'> = {},
): FieldError[] {
  const old = previous.spec;
  if (isSince(context, TELLS_FIELDS)) {
    return FIXED.flatMap((member) => {
      const found = validateImmutable(next.spec?.[member], old?.[member], `spec.${member}`);
      if (member !== 'volumeClaimTemplates' || found.length === 0) return found;
      return [fieldError.invalid(`spec.${member}`, toldTemplates(next.spec?.[member]), IMMUTABLE)];
    });
  }
  const comparable: Record<string, unknown> = { ...next.spec };
  const variable = MAY_CHANGE.filter((each) => each !== 'revisionHistoryLimit' || isSince(context, REVISION_LIMITS));
  for (const member of variable) comparable[member] = old?.[member];
  if (equalJson(comparable, old)) return [];
  const names = variable.map((each) => `'${each}'`);
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return [fieldError.forbidden('spec', `updates to statefulset spec for fields other than ${listed} are forbidden`)];
}

/** How errors quote claim templates: the internal type has the members of metadata beside its own. */
function toldTemplates(templates: StatefulSetSpec['volumeClaimTemplates']): Json {
  const told = templates?.map(({ metadata, ...claim }) => {
    const members = inGoForm(claim, CLAIM_TEMPLATE) as JsonObject;
    return { ...metadata, ...members } as JsonObject;
  });
  return told ?? null;
}

/** A negative limit is allowed, and keeps all revisions. */
export function statefulSetWarnings({ spec }: StatefulSet, previous: StatefulSet | undefined): string[] {
  return [...claimTemplateWarnings(spec, previous !== undefined), ...revisionLimitWarnings(spec)];
}

/** Kubernetes uses another path for updates. */
function claimTemplateWarnings(spec: StatefulSetSpec | undefined, isUpdate: boolean): string[] {
  return (spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
    claimSpecWarnings(claim.spec, `spec.volumeClaimTemplates[${index}]${isUpdate ? '.Spec' : ''}`),
  );
}

function revisionLimitWarnings(spec: StatefulSetSpec | undefined): string[] {
  if ((spec?.revisionHistoryLimit ?? 0) >= 0) return [];
  const what = 'a negative value retains all historical revisions; a value >= 0 is recommended';
  return [`spec.revisionHistoryLimit: ${what}`];
}
