// AppArmor profiles of containers. They were annotations before they were fields: annotations of a new pod are copied
// to fields, and if both are present they must agree. See KEP-24.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { equalJson } from '../../../../api/json-equal.ts';
import type { Draft, ObjectMeta } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import type { Container } from './container-objects.ts';
import type { Pod, PodSpec } from './objects.ts';
import type { SeccompProfile } from './security-context-objects.ts';

import { APP_ARMOR } from './validation-annotations.ts';
import { allContainers, CONTAINER_LISTS } from './validation-platform.ts';
import { validateAppArmor } from './validation-security.ts';

export const OLD_APP_ARMOR = 'deprecated since v1.30; use the "appArmorProfile" field instead';

const LOCALHOST = 'localhost/';

/** The field equivalent to an annotation; undefined for an annotation without meaning. */
export function profileOfAnnotation(annotation: string): SeccompProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const localhostProfile = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile };
}

interface Copied {
  readonly container: Container;
  /** The annotation's full name. */
  readonly name: string;
  /** The profile of the container; undefined if the annotation is not a profile, or equals that of the pod. */
  readonly profile: SeccompProfile | undefined;
  readonly isWarnedOf: boolean;
}

/** Containers with an annotation and no field. */
function annotated({ metadata, spec = {} }: Pod): Copied[] {
  const annotations = metadata.annotations ?? {};
  if (spec.os?.name === 'windows' || !Object.keys(annotations).some((name) => name.startsWith(APP_ARMOR))) return [];
  const ofPod = spec.securityContext?.appArmorProfile;
  return allContainers(spec, '').flatMap(({ container }) => {
    const name = `${APP_ARMOR}${container.name ?? ''}`;
    const annotation = ownMember(annotations, name);
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return [];
    const named = profileOfAnnotation(annotation);
    const isValid = named !== undefined && validateAppArmor(named, '').length === 0;
    const differs = isValid && !equalJson(named, ofPod);
    return [{ container, name, profile: differs ? named : undefined, isWarnedOf: differs || !isValid }];
  });
}

/** Warnings for annotations of a new pod, as they were sent. */
export function appArmorWarnings(pod: Pod): string[] {
  return annotated(pod)
    .filter(({ isWarnedOf }) => isWarnedOf)
    .map(({ name }) => `metadata.annotations[${name}]: ${OLD_APP_ARMOR}`);
}

/**
 * Sets the profiles in annotations as fields of a new pod's containers. Modifies its argument.
 * @param isMutual whether fields without annotations are set as annotations, for nodes of earlier releases
 */
export function copyAppArmorProfiles(pod: Draft<Pod>, isMutual: boolean): void {
  const given = annotated(pod);
  if (isMutual) copyToAnnotations(pod);
  if (given.length === 0) return;
  const profiles = new Map(given.map(({ container, profile }) => [container, profile]));
  for (const list of CONTAINER_LISTS) {
    for (const container of pod.spec?.[list] ?? []) {
      const profile = profiles.get(container);
      if (profile !== undefined) (container.securityContext ??= {}).appArmorProfile = { ...profile };
    }
  }
}

function copyToAnnotations(pod: Draft<Pod>): void {
  const { metadata, spec = {} } = pod;
  if (spec.os?.name === 'windows') return;
  for (const { container } of allContainers(spec, '')) {
    const name = `${APP_ARMOR}${container.name ?? ''}`;
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    if (profile === undefined || ownMember(metadata.annotations ?? {}, name) !== undefined) continue;
    const annotation = annotationOf(profile);
    if (annotation !== undefined) metadata.annotations = { ...metadata.annotations, [name]: annotation };
  }
}

/** The annotation equivalent to a field; undefined for an unknown type. */
function annotationOf({ type, localhostProfile }: SeccompProfile): string | undefined {
  if (type === 'Unconfined') return 'unconfined';
  if (type === 'RuntimeDefault') return 'runtime/default';
  return type === 'Localhost' && localhostProfile !== undefined ? `${LOCALHOST}${localhostProfile}` : undefined;
}

/** If a container's profile is in both an annotation and a field, they must agree. */
export function validateAppArmorAgrees({ annotations }: ObjectMeta, spec: PodSpec, field: string): FieldError[] {
  if (annotations === undefined || spec.os?.name === 'windows') return [];
  if (!Object.keys(annotations).some((name) => name.startsWith(APP_ARMOR))) return [];
  return allContainers(spec, field).flatMap(({ container, field: here }) => {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[`${APP_ARMOR}${container.name ?? ''}`];
    if (profile === undefined || annotation === undefined) return [];
    return disagreement(annotation, profile, `${here}.securityContext.appArmorProfile`);
  });
}

function disagreement(annotation: string, profile: SeccompProfile, field: string): FieldError[] {
  const { type = '', localhostProfile } = profile;
  const said = annotation.startsWith(LOCALHOST) ? 'Localhost' : profileOfAnnotation(annotation)?.type;
  if (!['Unconfined', 'RuntimeDefault', 'Localhost'].includes(type)) return [];
  if (said !== type) return [fieldError.forbidden(`${field}.type`, 'apparmor type in annotation and field must match')];
  if (type !== 'Localhost' || annotation === `${LOCALHOST}${localhostProfile ?? ''}`) return [];
  return [fieldError.forbidden(`${field}.localhostProfile`, 'apparmor profile in annotation and field must match')];
}
