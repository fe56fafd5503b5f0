// Validation of annotations with a meaning for pods: deletion cost, mirror pods, and profiles that predate fields.

import { type FieldError, type FieldErrors, fieldError } from '../../../../api/errors.ts';
import { MIRROR_ANNOTATION } from '../../../../api/mirror-pods.ts';
import type { ObjectMeta } from '../../../../api/object.ts';
import { joined, NONE, ofMembers } from '../../../../base/findings.ts';
import type { StrategyContext } from '../../../definition.ts';
import { ANNOTATED_TOLERATION, annotatedItems } from '../../../validation/annotated-items.ts';
import { keepable } from '../../../validation/kept-faults.ts';
import { validateDescendingPath } from '../../../validation/pod-references.ts';
import type { PodSpec } from './objects.ts';
import type { Toleration } from './scheduling-objects.ts';
import type { SeccompProfile } from './security-context-objects.ts';
import { allContainers } from './validation-platform.ts';
import { validateTolerations } from './validation-scheduling.ts';

const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
export const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
export const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';
export const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

type Annotations = NonNullable<ObjectMeta['annotations']>;

/** The path of the annotations, and what they may refer to. */
interface AnnotationsPlace {
  readonly field: string;
  readonly rules: Partial<Pick<StrategyContext, 'gateEnabled' | 'minor'>>;
}

/** Annotations of a pod or pod template. */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  { field, rules }: AnnotationsPlace,
): FieldErrors {
  const costCounts = rules.gateEnabled?.('PodDeletionCost') !== false;
  return joined(
    validateMirror(annotations[MIRROR_ANNOTATION], spec, `${field}[${MIRROR_ANNOTATION}]`),
    validateAnnotatedTolerations(annotations[TOLERATIONS] ?? '', { field, rules }),
    costCounts ? validateDeletionCost(annotations[DELETION_COST], `${field}[${DELETION_COST}]`) : NONE,
    ofMembers(annotations, (name, profile) =>
      isSeccomp(name) ? validateSeccompText(profile, `${field}.${name}`) : NONE,
    ),
    ofMembers(annotations, (name, profile) =>
      name.startsWith(APP_ARMOR)
        ? validateAppArmorText(name.slice(APP_ARMOR.length), profile, { spec, field: `${field}[${name}]` })
        : NONE,
    ),
  );
}

function validateMirror(mirrored: string | undefined, { nodeName = '' }: PodSpec, field: string): FieldErrors {
  if (mirrored === undefined || nodeName !== '') return NONE;
  return [fieldError.invalid(field, mirrored, 'must set spec.nodeName if mirror pod annotation is set')];
}

function validateAnnotatedTolerations(annotation: string, { field, rules }: AnnotationsPlace): FieldErrors {
  const tolerations = annotatedItems(annotation, ANNOTATED_TOLERATION);
  if (typeof tolerations === 'string') return [fieldError.invalid(field, TOLERATIONS, tolerations)];
  return validateTolerations(tolerations as Toleration[], `${field}.${TOLERATIONS}`, rules);
}

function validateDeletionCost(cost: string | undefined, field: string): FieldErrors {
  if (cost === undefined || isDeletionCost(cost)) return NONE;
  return keepable('deletion cost', [fieldError.invalid(field, cost, 'must be a 32bit integer')]);
}

function isSeccomp(annotation: string): boolean {
  return annotation === SECCOMP_POD || annotation.startsWith(SECCOMP_CONTAINER);
}

/** Without a plus sign and leading zeros. */
function isDeletionCost(text: string): boolean {
  if (!/^(0|-[0-9]+|[1-9][0-9]*)$/.test(text)) return false;
  const cost = Number(text);
  return cost >= -(2 ** 31) && cost < 2 ** 31;
}

function validateSeccompText(profile: string, field: string): FieldErrors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith('localhost/')) return validateDescendingPath(profile.slice('localhost/'.length), field);
  return [fieldError.invalid(field, profile, 'must be a valid seccomp profile')];
}

function validateAppArmorText(
  container: string,
  profile: string,
  { spec, field }: { spec: PodSpec; field: string },
): FieldError[] {
  const known = allContainers(spec, '').some(({ container: { name } }) => name === container);
  const found = known ? [] : [fieldError.invalid(field, container, 'container not found')];
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return found;
  return [...found, fieldError.invalid(field, profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`)];
}

/** If a seccomp profile is in both an annotation and a field, they must agree. */
export function validateSeccompAgrees(metadata: ObjectMeta, spec: PodSpec, field: string): FieldErrors {
  const { annotations } = metadata;
  if (annotations === undefined || !Object.keys(annotations).some(isSeccomp)) return NONE;
  const agree = (text: string | undefined, profile: SeccompProfile | undefined, at: string) =>
    text === undefined || profile === undefined ? [] : validateSameProfile(text, profile, at);
  const found = agree(
    annotations[SECCOMP_POD],
    spec.securityContext?.seccompProfile,
    `${field}.securityContext.seccompProfile`,
  );
  for (const { container, field: here } of allContainers(spec, field)) {
    const text = annotations[`${SECCOMP_CONTAINER}${container.name ?? ''}`];
    found.push(...agree(text, container.securityContext?.seccompProfile, `${here}.securityContext.seccompProfile`));
  }
  return found;
}

function validateSameProfile(text: string, { type, localhostProfile }: SeccompProfile, field: string): FieldError[] {
  const other = [fieldError.forbidden(`${field}.type`, 'seccomp type in annotation and field must match')];
  switch (type) {
    case 'Unconfined':
      return text === 'unconfined' ? [] : other;
    case 'RuntimeDefault':
      return text === 'runtime/default' || text === 'docker/default' ? [] : other;
    case 'Localhost': {
      if (!text.startsWith('localhost/')) return other;
      if (text === `localhost/${localhostProfile ?? ''}`) return [];
      return [fieldError.forbidden(`${field}.localhostProfile`, 'seccomp profile in annotation and field must match')];
    }
    default:
      return [];
  }
}
