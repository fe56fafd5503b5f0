// Policy rules of roles, and what they allow. Independent of users and bindings.

import { goQuoteList } from '../base/go-quote.ts';
import { withoutTrailing } from '../base/without-trailing.ts';
import type { ApiObject, JsonObject } from './object.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** Plural names, `pods/log` for a subresource, `*` for all, `*` and `/scale` for one subresource of all. */
  readonly resources: readonly string[];
  /** Empty for all. */
  readonly resourceNames: readonly string[];
  /** Exact paths, or prefixes that end in `*`. */
  readonly nonResourceURLs: readonly string[];
}

const ALL = '*';

/** A request as matched by rules. */
export interface RuleQuestion {
  readonly verb: string;
  /** False for a non-resource path, for which only verb and path count. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty for none. */
  readonly subresource: string;
  /** Empty if the request names no object. */
  readonly name: string;
}

export function ruleAllows(rule: PolicyRule, asked: RuleQuestion): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (!asked.isResourceRequest) return rule.nonResourceURLs.some((pattern) => pathMatches(pattern, asked.path));
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources, asked.resource, asked.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  );
}

function hasOrAll(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes(ALL);
}

function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return hasOrAll(resources, resource);
  for (const each of resources) {
    if (each === ALL) return true;
    const slash = each.length - subresource.length - 1;
    if (slash <= 0 || each[slash] !== '/' || !each.endsWith(subresource)) continue;
    if (slash === resource.length && each.startsWith(resource)) return true;
    if (slash === 1 && each[0] === ALL) return true;
  }
  return false;
}

export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === ALL || pattern === path) return true;
  return pattern.endsWith(ALL) && path.startsWith(withoutTrailing(pattern, '*'));
}

/** The rules of a Role or ClusterRole. */
export function rulesOf(role: ApiObject): PolicyRule[] {
  const rules = role['rules'];
  if (!Array.isArray(rules)) return [];
  return (rules as JsonObject[]).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

const NONE: readonly string[] = Object.freeze([]);

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) && value.length > 0 ? (value as string[]) : NONE;
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`: a rule formatted as in Kubernetes' messages. */
export function ruleText(rule: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const said = parts.filter(([, values]) => values.length > 0);
  return `{${said.map(([name, values]) => `${name}:${goQuoteList(values)}`).join(', ')}}`;
}
