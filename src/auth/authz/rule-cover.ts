// Coverage of RBAC rules, for escalation checks: whether some rules grant everything that others do. Missing
// permissions are reported as compactly as possible. A rule of n names each for verbs, groups, resources and objects has
// n⁴ permissions, so they are not enumerated: whole parts of a rule are compared while a single held rule covers them,
// and halved otherwise.

import { type PolicyRule, pathMatches } from '../../api/policy-rule.ts';
import { limits } from '../../base/limits.ts';
import type { Steps } from '../../base/steps.ts';

export interface MissingRights {
  /** The permissions that are not held, compacted; empty if everything is covered. */
  readonly rules: PolicyRule[];
  /** Whether some are left out, or were never compared: the rules are then not covered even if none is missing. */
  readonly cut: boolean;
}

/** The part of `rules` that `held` does not grant. */
export function* missingRights(held: readonly PolicyRule[], rules: readonly PolicyRule[]): Steps<MissingRights> {
  const comparison = new Comparison();
  for (const rule of held) {
    comparison.held.add(rule);
    yield;
  }
  for (const rule of rules) {
    for (const part of partsOf(rule)) yield* comparison.compare(part);
    if (comparison.exhausted) break;
  }
  return { rules: compact(comparison.missing), cut: comparison.exhausted };
}

/** The names of a rule, one list for each dimension. A part of a rule has one permission for each combination. */
interface Part {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** `undefined` for all objects. */
  readonly resourceNames: readonly (string | undefined)[];
  readonly nonResourceURLs: readonly string[];
}

type Dimension = keyof Part;
const OF_RESOURCES: readonly Dimension[] = ['apiGroups', 'resources', 'verbs', 'resourceNames'];
const OF_PATHS: readonly Dimension[] = ['nonResourceURLs', 'verbs'];
const ALL_NAMES: readonly undefined[] = [undefined];

function partsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Part[] {
  const names = resourceNames.length === 0 ? ALL_NAMES : resourceNames;
  return [
    { verbs, apiGroups, resources, resourceNames: names, nonResourceURLs: [] },
    { verbs, apiGroups: [], resources: [], resourceNames: ALL_NAMES, nonResourceURLs },
  ].filter((part) => dimensionsOf(part).every((dimension) => part[dimension].length > 0));
}

function dimensionsOf(part: Part): readonly Dimension[] {
  return part.nonResourceURLs.length > 0 ? OF_PATHS : OF_RESOURCES;
}

class Comparison {
  readonly held = new HeldRules();
  readonly missing: PolicyRule[] = [];
  #left: number = limits.comparedPermissions;

  get exhausted(): boolean {
    return this.#left <= 0 || this.missing.length >= limits.missingPermissions;
  }

  /** Adds the permissions of this part that are missing. */
  *compare(part: Part): Steps<void> {
    const waiting = [part];
    for (let next = waiting.pop(); next !== undefined && !this.exhausted; next = waiting.pop()) {
      if (yield* this.#isCovered(next)) continue;
      const halves = halved(next);
      if (halves === undefined) this.missing.push(permissionOf(next));
      else waiting.push(halves[1], halves[0]);
    }
  }

  *#isCovered(part: Part): Steps<boolean> {
    for (const rules of this.held.candidates(part)) {
      for (const rule of rules) {
        yield;
        this.#left--;
        if (this.exhausted) return false;
        if (this.#covers(rule, part)) return true;
      }
    }
    return false;
  }

  #covers(held: HeldRule, part: Part): boolean {
    return dimensionsOf(part).every((dimension) =>
      part[dimension].every((name) => {
        this.#left--;
        return held.covers(dimension, name);
      }),
    );
  }
}

/** Two parts with half of the longest list each; undefined for a single permission. */
function halved(part: Part): [Part, Part] | undefined {
  const longest = dimensionsOf(part).reduce((most, each) => (part[each].length > part[most].length ? each : most));
  const list = part[longest];
  if (list.length === 1) return undefined;
  const middle = list.length >> 1;
  return [
    { ...part, [longest]: list.slice(0, middle) },
    { ...part, [longest]: list.slice(middle) },
  ];
}

function permissionOf(part: Part): PolicyRule {
  return { ...part, resourceNames: part.resourceNames.filter((name) => name !== undefined) };
}

/** A held rule whose names are looked up. */
class HeldRule {
  readonly rule: PolicyRule;
  readonly #sets: Partial<Record<Dimension, ReadonlySet<string>>> = {};

  constructor(rule: PolicyRule) {
    this.rule = rule;
  }

  covers(dimension: Dimension, name: string | undefined): boolean {
    if (dimension === 'nonResourceURLs') {
      return this.rule.nonResourceURLs.some((pattern) => pathMatches(pattern, name as string));
    }
    if (dimension === 'resourceNames') {
      return this.rule.resourceNames.length === 0 || (name !== undefined && this.#has(dimension, name));
    }
    return namesThatCover(dimension, name as string).some((each) => this.#has(dimension, each));
  }

  #has(dimension: Dimension, name: string): boolean {
    const list = this.rule[dimension];
    if (list.length < SHORT) return list.includes(name);
    return (this.#sets[dimension] ??= new Set(list)).has(name);
  }
}

const SHORT = 8;

function namesThatCover(dimension: Dimension, name: string): string[] {
  if (name === '*') return [name];
  const slash = dimension === 'resources' ? name.indexOf('/') : -1;
  return slash < 0 ? [name, '*'] : [name, '*', `*${name.slice(slash)}`];
}

type Indexed = 'verbs' | 'apiGroups' | 'resources' | 'resourceNames';
const INDEXED: readonly Indexed[] = ['verbs', 'apiGroups', 'resources', 'resourceNames'];
/** Stands for a rule without names of objects. */
const ANY_OBJECT = '';

/** Held rules by each name in them: only those with all the first names of a part can cover it. */
class HeldRules {
  readonly #all: HeldRule[] = [];
  readonly #byName: Readonly<Record<Indexed, Map<string, HeldRule[]>>> = {
    verbs: new Map(),
    apiGroups: new Map(),
    resources: new Map(),
    resourceNames: new Map(),
  };

  add(rule: PolicyRule): void {
    const held = new HeldRule(rule);
    this.#all.push(held);
    for (const dimension of INDEXED) {
      const names = dimension === 'resourceNames' && rule.resourceNames.length === 0 ? [ANY_OBJECT] : rule[dimension];
      for (const name of names) {
        const rules = this.#byName[dimension].get(name);
        if (rules === undefined) this.#byName[dimension].set(name, [held]);
        else if (rules.at(-1) !== held) rules.push(held);
      }
    }
  }

  /** Lists of the rules that can cover this part. */
  candidates(part: Part): readonly (readonly HeldRule[])[] {
    let fewest: readonly (readonly HeldRule[])[] = [this.#all];
    let count = this.#all.length;
    for (const dimension of dimensionsOf(part)) {
      if (dimension === 'nonResourceURLs') continue;
      const lists = this.#listsFor(dimension, part[dimension][0]);
      const length = lists.reduce((sum, list) => sum + list.length, 0);
      if (length >= count) continue;
      fewest = lists;
      count = length;
    }
    return fewest;
  }

  #listsFor(dimension: Indexed, name: string | undefined): readonly HeldRule[][] {
    const names =
      dimension === 'resourceNames'
        ? [...new Set([ANY_OBJECT, name ?? ANY_OBJECT])]
        : namesThatCover(dimension, name as string);
    return names.map((each) => this.#byName[dimension].get(each) ?? []);
  }
}

/** Merges rules for the same resource. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule & { verbs: string[] }>();
  const others: PolicyRule[] = [];
  for (const rule of rules) {
    if (rule.nonResourceURLs.length > 0) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...rule, verbs: [...rule.verbs] });
    else known.verbs.push(...rule.verbs);
  }
  return [...others, ...merged.values()];
}
