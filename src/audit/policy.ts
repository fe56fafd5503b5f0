// Audit policy: determines which requests are recorded, at which level. The first matching rule wins.

import { withoutTrailing } from '../base/without-trailing.ts';
import type { Level, Stage } from './level.ts';

/** The user of an event, compatible with that of authentication. */
export interface AuditUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The attributes that rules match. */
export interface AuditAttributes {
  /** The authenticated user; undefined if authentication failed. */
  readonly user: AuditUser | undefined;
  readonly verb: string;
  readonly isResource: boolean;
  /** Without the query. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface GroupResources {
  /** `*` for all. */
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A rule of a policy; empty lists match everything. */
export interface AuditRule {
  readonly level: Level;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly omitStages: readonly Stage[];
  /** Undefined for the policy's default. */
  readonly omitManagedFields: boolean | undefined;
}

export interface Policy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly Stage[];
  readonly omitManagedFields: boolean;
}

/** How a request is recorded. */
export interface Recording {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** Evaluates a policy; created once for each. */
export class PolicyEvaluator {
  readonly #rules: readonly { readonly rule: AuditRule; readonly recording: Recording }[];
  readonly #none: Recording;

  constructor({ rules, omitStages, omitManagedFields }: Policy) {
    this.#rules = rules.map((rule) => ({
      rule,
      recording: {
        level: rule.level,
        omitStages: new Set([...omitStages, ...rule.omitStages]),
        omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
      },
    }));
    this.#none = { level: 'None', omitStages: new Set(omitStages), omitManagedFields };
  }

  /** Level None if no rule matches. */
  evaluate(attributes: AuditAttributes): Recording {
    for (const { rule, recording } of this.#rules) if (matches(rule, attributes)) return recording;
    return this.#none;
  }
}

function matches(rule: AuditRule, attributes: AuditAttributes): boolean {
  const { user, verb } = attributes;
  if (rule.users.length > 0 && (user === undefined || !rule.users.includes(user.name))) return false;
  if (rule.userGroups.length > 0 && user?.groups.some((group) => rule.userGroups.includes(group)) !== true)
    return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, attributes);
  if (rule.nonResourceURLs.length > 0) return matchesPath(rule, attributes);
  return true;
}

function matchesPath({ nonResourceURLs }: AuditRule, { isResource, path }: AuditAttributes): boolean {
  if (isResource) return false;
  return nonResourceURLs.some(
    (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(withoutTrailing(url, '*'))),
  );
}

function matchesResource({ namespaces, resources }: AuditRule, attributes: AuditAttributes): boolean {
  if (!attributes.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(attributes.namespace)) return false;
  return resources.length === 0 || resources.some((each) => covers(each, attributes));
}

function covers({ group, resources, resourceNames }: GroupResources, asked: AuditAttributes): boolean {
  if (group !== '*' && group !== asked.group) return false;
  // Parsing rejects names without resources.
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(asked.name)) return false;
  const { resource, subresource } = asked;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) =>
      each === '*' || each === whole || (subresource !== '' && each === `*/${subresource}`) || each === `${resource}/*`,
  );
}
