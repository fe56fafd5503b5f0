// Interface of a Pod Security check, and the wording that all checks share. Checks only see pods: neither the user nor
// the namespace.

import type { Json, ObjectMeta } from '../../api/object.ts';
import { CURRENT_MINOR } from '../../lifecycle/version.ts';
import type { Container } from '../../resources/builtin/core/pod/container-objects.ts';
import type { PodSpec, PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';

/** A pod or pod template, as seen by checks. */
export interface CheckedPod {
  readonly annotations: NonNullable<ObjectMeta['annotations']>;
  readonly spec: PodSpec;
  /** All of them in the order of messages: init, regular and ephemeral containers. */
  readonly containers: readonly Container[];
  /** It has a user namespace of its own, and the server takes that into account. */
  readonly hasOwnUsers: boolean;
  /** Whether the pod has a user namespace, which versions from 1.35 on trust. */
  readonly hasUserNamespace: boolean;
  /** The latest minor version of the standards that the server knows. */
  readonly latest: number;
}

export interface Violation {
  /** A short summary, used when many pods are evaluated. */
  readonly reason: string;
  /** Details for the author of the pod. */
  readonly detail: string;
}

export type Check = (pod: CheckedPod) => Violation | undefined;

/** The server that checks. */
export interface Checking {
  /** Whether a pod with a user namespace may run as root within it, in each version of the standards. */
  readonly trustsUserNamespaces: boolean;
  /** The minor release of Kubernetes 1, whose standards are the latest; the one served by default if undefined. */
  readonly minor?: number | undefined;
}

/** @param pod a decoded pod or pod template */
export function checkedPod(pod: Json, { trustsUserNamespaces, minor = CURRENT_MINOR }: Checking): CheckedPod {
  // Decoded by the schema.
  const { metadata, spec = {} } = pod as unknown as PodTemplateSpec;
  const { initContainers, containers, ephemeralContainers, hostUsers } = spec;
  return {
    annotations: metadata?.annotations ?? {},
    spec,
    containers: [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])],
    hasOwnUsers: trustsUserNamespaces && hostUsers === false,
    hasUserNamespace: hostUsers === false,
    latest: minor,
  };
}

/** The names of the containers for which a predicate holds. */
export function containersThat({ containers }: CheckedPod, isSo: (container: Container) => boolean): string[] {
  return containers.filter(isSo).map(nameOf);
}

/** The containers with forbidden values, and all these values. */
export function containersWith(
  { containers }: CheckedPod,
  forbiddenIn: (container: Container) => readonly string[],
): { names: string[]; values: string[] } {
  const names: string[] = [];
  const values: string[] = [];
  for (const container of containers) {
    const found = forbiddenIn(container);
    if (found.length === 0) continue;
    names.push(nameOf(container));
    values.push(...found);
  }
  return { names, values: distinct(values) };
}

export function nameOf({ name = '' }: { readonly name?: string }): string {
  return name;
}

/** Sorted, without duplicates. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

/** `"a", "b"` */
export function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}

export function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** `containers "a", "b"` */
export function named(word: string, names: readonly string[]): string {
  return `${plural(word, names.length)} ${quoted(names)}`;
}

/** `pod and container "a"`: the security contexts that set a value. */
export function setters(byPod: boolean, containers: readonly string[]): string {
  const found = byPod ? ['pod'] : [];
  if (containers.length > 0) found.push(named('container', containers));
  return found.join(' and ');
}
