// One rule of a role and what it allows. It knows neither users nor bindings.

import { goQuoteList } from '../base/go-quote.ts';
import { withoutTrailing } from '../base/without-trailing.ts';
import type { ApiObject, JsonObject } from './object.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** Plural names, `pods/log` for subresources, `*` for all, `*` and `/scale` for that subresource of all for one subresource of all. */
  readonly resources: readonly string[];
  /** Empty for all. */
  readonly resourceNames: readonly string[];
  /** Paths, whole or, with a `*` at the end, by their beginning. */
  readonly nonResourceURLs: readonly string[];
}

const ALL = '*';

/** What a request asks for, as rules see it. */
export interface RuleQuestion {
  readonly verb: string;
  /** False where the path counts, and nothing of what follows it. */
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty where none is meant. */
  readonly subresource: string;
  /** Empty where the request names no object. */
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

export function hasOrAll(list: readonly string[], value: string): boolean {
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

/** The rules of a role or cluster role. */
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

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`: a rule in Kubernetes' messages. */
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
