// The union of the groups, versions and resources that the servers on one store serve, for the aggregated discovery
// document. Its order agrees with that of each server. Pure, so that all servers compute the same document.

import { equalJson } from '../api/json-equal.ts';
import type { Json, JsonObject } from '../api/object.ts';
import { compareText } from '../base/compare-text.ts';
import { listAt, textAt } from '../resources/value.ts';

/** A server and its groups in the form of aggregated discovery, besides the core group. */
export interface ServerGroups {
  /** The name of its identity Lease. */
  readonly id: string;
  readonly groups: readonly JsonObject[];
}

/** The groups of a server, merged with those of others; its own list if they have nothing else. */
export function mergedGroups(own: ServerGroups, others: readonly ServerGroups[]): readonly JsonObject[] {
  if (others.length === 0) return own.groups;
  const servers = [own, ...others].toSorted((one, other) => compareText(one.id, other.id));
  const merged = new Map<string, JsonObject>();
  let isOwn = true;
  const ownNames = own.groups.map(groupName);
  for (const { groups } of servers) {
    for (const group of groups) {
      const known = merged.get(groupName(group));
      const next = known === undefined ? group : mergedGroup(known, group);
      isOwn &&= known === undefined || next === known;
      merged.set(groupName(group), next);
    }
    isOwn &&= equalJson(ownNames, groups.map(groupName));
  }
  if (isOwn) return own.groups;
  return inOrder(
    merged,
    servers.map(({ groups }) => groups.map(groupName)),
  );
}

function groupName(group: JsonObject): string {
  return textAt(group, 'metadata', 'name');
}

/** The first of two descriptions of a group if the second adds nothing. */
function mergedGroup(one: JsonObject, other: JsonObject): JsonObject {
  const [before, after] = [listAt(one, 'versions'), listAt(other, 'versions')];
  const versions = mergedList([before, after], 'version', mergedVersion);
  return versions === before ? one : { ...one, versions };
}

function mergedVersion(one: JsonObject, other: JsonObject): JsonObject {
  const [before, after] = [listAt(one, 'resources'), listAt(other, 'resources')];
  const resources = mergedList([before, after], 'resource', mergedResource);
  return resources === before ? one : { ...one, resources };
}

/** Verbs and subresources are those of both, by name. */
function mergedResource(one: JsonObject, other: JsonObject): JsonObject {
  if (equalJson(one, other)) return one;
  const both = (name: string) => [...listAt(one, name), ...listAt(other, name)];
  const verbs = [...new Set(both('verbs').map(String))].toSorted(compareText);
  const subresources = new Map(both('subresources').map((each) => [textAt(each, 'subresource'), each]));
  const named = [...subresources].toSorted(([a], [b]) => compareText(a, b)).map(([, each]) => each);
  return { ...one, verbs, ...(named.length === 0 ? {} : { subresources: named }) };
}

/** Merges two lists by the names of their members. @returns the first if the second adds nothing */
function mergedList(
  [one, other]: readonly [Json[], Json[]],
  member: string,
  merge: (one: JsonObject, other: JsonObject) => JsonObject,
): Json[] {
  const nameOf = (each: Json) => textAt(each, member);
  const merged = new Map(one.map((each) => [nameOf(each), each]));
  let isSame = true;
  for (const each of other) {
    const known = merged.get(nameOf(each));
    const next = known === undefined ? each : merge(known as JsonObject, each as JsonObject);
    isSame &&= known === next;
    merged.set(nameOf(each), next);
  }
  const [names, otherNames] = [one.map(nameOf), other.map(nameOf)];
  if (isSame && equalJson(names, otherNames)) return one;
  return inOrder(merged, [names, otherNames]);
}

function inOrder<T extends Json>(named: ReadonlyMap<string, T>, lists: readonly (readonly string[])[]): T[] {
  return agreedOrder(lists).map((name) => named.get(name) as T);
}

/** A name in lists of names. */
interface Place {
  readonly name: string;
  /** What comes next in any list. */
  readonly next: Set<Place>;
  /** How many names have it next and have no place yet. */
  waits: number;
}

/**
 * All names in an order that agrees with each list, as Kubernetes chooses it: a list with all names is taken as it is,
 * names without an order among them are sorted, and so are all names if the lists contradict each other.
 * @internal
 */
export function agreedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const places = placesIn(lists);
  const whole = lists.find((list) => list.length === places.size && new Set(list).size === list.length);
  if (whole !== undefined) return whole;
  const ordered: string[] = [];
  // There are as many of them as there are lists, at most.
  const ready = new Set([...places.values()].filter(({ waits }) => waits === 0));
  while (ready.size > 0) {
    const first = [...ready].reduce((least, each) => (each.name < least.name ? each : least));
    ready.delete(first);
    ordered.push(first.name);
    for (const next of first.next) if (--next.waits === 0) ready.add(next);
  }
  return ordered.length === places.size ? ordered : [...places.keys()].toSorted(compareText);
}

function placesIn(lists: readonly (readonly string[])[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const list of lists) {
    let before: Place | undefined;
    for (const name of list) {
      const place = places.get(name) ?? { name, next: new Set<Place>(), waits: 0 };
      places.set(name, place);
      if (before !== undefined && !before.next.has(place)) {
        before.next.add(place);
        place.waits++;
      }
      before = place;
    }
  }
  return places;
}
