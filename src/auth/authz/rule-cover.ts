// Coverage of RBAC rules, for escalation checks: whether some rules grant everything that others do. Missing
// permissions are reported as compactly as possible.

import { hasOrAll, type PolicyRule, pathMatches } from '../../api/policy-rule.ts';

/** The part of `rules` that `held` does not grant, compacted; empty if everything is covered. */
export function missingRights(held: readonly PolicyRule[], rules: readonly PolicyRule[]): PolicyRule[] {
  const missing = rules.flatMap(atomsOf).filter((atom) => !held.some((rule) => covers(rule, atom)));
  return compact(missing);
}

/** Equivalent rules with one verb and one resource or path each. */
function atomsOf(rule: PolicyRule): PolicyRule[] {
  const atoms: PolicyRule[] = [];
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        for (const resourceNames of names) {
          atoms.push({ apiGroups: [group], resources: [resource], verbs: [verb], resourceNames, nonResourceURLs: [] });
        }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) {
      atoms.push({ apiGroups: [], resources: [], verbs: [verb], resourceNames: [], nonResourceURLs: [url] });
    }
  }
  return atoms;
}

function covers(held: PolicyRule, atom: PolicyRule): boolean {
  return (
    atom.verbs.every((verb) => hasOrAll(held.verbs, verb)) &&
    atom.apiGroups.every((group) => hasOrAll(held.apiGroups, group)) &&
    atom.resources.every((resource) => coversResource(held.resources, resource)) &&
    atom.nonResourceURLs.every((url) => held.nonResourceURLs.some((pattern) => pathMatches(pattern, url))) &&
    coversNames(held.resourceNames, atom.resourceNames)
  );
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (hasOrAll(held, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && held.includes(`*${resource.slice(slash)}`);
}

function coversNames(held: readonly string[], names: readonly string[]): boolean {
  if (held.length === 0) return true;
  return names.length > 0 && names.every((name) => held.includes(name));
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
