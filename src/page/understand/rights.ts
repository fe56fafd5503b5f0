// Permissions of a user as a table: the rules in a SelfSubjectRulesReview overlap a lot.

import { compareText } from '../../base/compare-text.ts';

export interface ResourceRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface NonResourceRule {
  readonly verbs?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The permitted verbs for a resource, or for named objects of it. */
interface Right {
  readonly group: string;
  readonly resource: string;
  /** Empty for all. */
  readonly names: readonly string[];
  readonly verbs: readonly string[];
}

/** In the usual reading order. */
const VERBS = ['*', 'get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** Returns one line for each resource of each group, with the verbs of all rules; wildcards first. */
export function rightsOf(rules: readonly ResourceRule[]): Right[] {
  const rights = new Map<string, { group: string; resource: string; names: readonly string[]; verbs: Set<string> }>();
  for (const { verbs = [], apiGroups = [], resources = [], resourceNames = [] } of rules) {
    for (const group of apiGroups) {
      for (const resource of resources) {
        const key = JSON.stringify([group, resource, resourceNames.toSorted()]);
        const known = rights.get(key);
        if (known === undefined) rights.set(key, { group, resource, names: resourceNames, verbs: new Set(verbs) });
        else for (const verb of verbs) known.verbs.add(verb);
      }
    }
  }
  return [...rights.values()]
    .map((right) => ({ ...right, verbs: ordered(right.verbs) }))
    .sort((a, b) => compareText(rank(a.group), rank(b.group)) || compareText(rank(a.resource), rank(b.resource)));
}

/** Returns non-resource paths with their verbs, without duplicates. */
export function pathsOf(
  rules: readonly NonResourceRule[],
): { readonly path: string; readonly verbs: readonly string[] }[] {
  const paths = new Map<string, Set<string>>();
  for (const { verbs = [], nonResourceURLs = [] } of rules) {
    for (const path of nonResourceURLs) paths.set(path, new Set([...(paths.get(path) ?? []), ...verbs]));
  }
  return [...paths]
    .map(([path, verbs]) => ({ path, verbs: ordered(verbs) }))
    .sort((a, b) => compareText(a.path, b.path));
}

function ordered(verbs: Iterable<string>): string[] {
  const place = (verb: string): number => (VERBS.includes(verb) ? VERBS.indexOf(verb) : VERBS.length);
  const all = [...new Set(verbs)];
  if (all.includes('*')) return ['*'];
  return all.sort((a, b) => place(a) - place(b) || compareText(a, b));
}

function rank(text: string): string {
  return text === '*' ? '' : ` ${text}`;
}
