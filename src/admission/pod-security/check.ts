// Interface of a check of the Pod Security Standards, and the words that all checks share. Checks know pods alone: not
// who asks, nor what the namespace demands.

import type { Json, ObjectMeta } from '../../api/object.ts';
import type { Container } from '../../resources/builtin/core/pod/container-objects.ts';
import type { PodSpec, PodTemplateSpec } from '../../resources/builtin/core/pod/objects.ts';

/** A pod, or the template of one, as checks see it. */
export interface CheckedPod {
  readonly annotations: NonNullable<ObjectMeta['annotations']>;
  readonly spec: PodSpec;
  /** All of them, in the order in which messages name them: those that initialise, the pod's own, ephemeral ones. */
  readonly containers: readonly Container[];
  /** Its users are none of the host's, and the server was told that this counts. */
  readonly hasOwnUsers: boolean;
}

export interface Violation {
  /** A few words, all that is said where many pods are looked at. */
  readonly reason: string;
  /** Who does what, for the one who wrote this pod. */
  readonly detail: string;
}

export type Check = (pod: CheckedPod) => Violation | undefined;

/**
 * @param pod a decoded pod, or a template
 * @param trustsUserNamespaces whether a pod with users of its own may be root among them
 */
export function checkedPod(pod: Json, trustsUserNamespaces: boolean): CheckedPod {
  // The schema has decoded it.
  const { metadata, spec = {} } = pod as unknown as PodTemplateSpec;
  const { initContainers, containers, ephemeralContainers, hostUsers } = spec;
  return {
    annotations: metadata?.annotations ?? {},
    spec,
    containers: [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])],
    hasOwnUsers: trustsUserNamespaces && hostUsers === false,
  };
}

/** The names of the containers that something is true of. */
export function containersThat({ containers }: CheckedPod, isSo: (container: Container) => boolean): string[] {
  return containers.filter(isSo).map(nameOf);
}

/** The containers that have forbidden values, and all those values. */
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

/** Sorted, each once. */
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

/** `pod and container "a"`: who set something, by its own security context. */
export function setters(byPod: boolean, containers: readonly string[]): string {
  const found = byPod ? ['pod'] : [];
  if (containers.length > 0) found.push(named('container', containers));
  return found.join(' and ');
}
