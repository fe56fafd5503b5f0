// Preferences stored in the browser: the namespace, and recent and favourite kinds.

import { effect, type Signal, signal } from '@preact/signals';
import type { Resource } from '../cluster/discovery.ts';

const MAX_RECENT = 6;

/** The namespace of the last list shown, '' for all. It is kept when the user moves to another kind. */
export const lastNamespace = signal('');
/** Keys of kinds, most recent first. */
export const recentKinds = kept('keelson-recent-kinds');
/** Keys of kinds, in the order in which they were added. */
export const favouriteKinds = kept('keelson-favourite-kinds');

/** Returns the key of a kind: `apps/deployments`. */
export function kindKey({ group, name }: Resource): string {
  return `${group}/${name}`;
}

/** Records that the list of a kind was opened. */
export function noteVisit(resource: Resource, namespace: string): void {
  const key = kindKey(resource);
  if (resource.namespaced) lastNamespace.value = namespace;
  recentKinds.value = [key, ...recentKinds.peek().filter((one) => one !== key)].slice(0, MAX_RECENT);
}

/** Adds a kind to the favourites, or removes it. */
export function toggleFavourite(resource: Resource): void {
  const key = kindKey(resource);
  const known = favouriteKinds.value;
  favouriteKinds.value = known.includes(key) ? known.filter((one) => one !== key) : [...known, key];
}

function kept(name: string): Signal<readonly string[]> {
  const list = signal<readonly string[]>(stored(name));
  effect(() => localStorage.setItem(name, JSON.stringify(list.value)));
  return list;
}

function stored(name: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}
