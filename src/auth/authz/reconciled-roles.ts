// Reconciliation of default roles and bindings: what a new release grants is added to what an older server stored, and
// what an administrator added stays. A role or binding with the annotation
// rbac.authorization.kubernetes.io/autoupdate=false stays as it is.

import { equalJson } from '../../api/json-equal.ts';
import { copyJson } from '../../api/json-writer.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { type PolicyRule, ruleAllows, rulesOf } from '../../api/policy-rule.ts';

const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** Whether an administrator has excluded a role or binding from reconciliation. */
export function isProtected({ metadata }: ApiObject): boolean {
  return metadata.annotations?.[AUTO_UPDATE] === 'false';
}

/** A role or cluster role with everything that the default one grants; undefined if nothing is missing. */
export function reconciledRole(stored: ApiObject, wanted: ApiObject): ApiObject | undefined {
  const next = withMetadata(stored, wanted);
  const selectors = selectorsIn(wanted);
  if (selectors === undefined) {
    delete next['aggregationRule'];
    const missing = missingRules(rulesOf(stored), rulesOf(wanted));
    if (missing.length > 0) next['rules'] = [...listIn(stored, 'rules'), ...missing];
  } else {
    // The rules are up to the controller that aggregates them.
    const held = selectorsIn(stored) ?? [];
    const added = selectors.filter((selector) => !held.some((other) => equalJson(selector, other)));
    if (added.length > 0) next['aggregationRule'] = { clusterRoleSelectors: [...held, ...added] };
  }
  return equalJson(next, stored) ? undefined : next;
}

/** What reconciliation does with a binding; undefined if nothing is missing. */
type ReconciledBinding =
  | { readonly update: ApiObject }
  /** Its role cannot be changed: it has to be deleted and created anew. */
  | { readonly recreate: true };

/** A binding with all subjects of the default one. */
export function reconciledBinding(stored: ApiObject, wanted: ApiObject): ReconciledBinding | undefined {
  if (!equalJson((stored['roleRef'] ?? null) as Json, (wanted['roleRef'] ?? null) as Json)) return { recreate: true };
  const next = withMetadata(stored, wanted);
  const held = listIn(stored, 'subjects');
  const missing = listIn(wanted, 'subjects').filter((subject) => !held.some((other) => equalJson(subject, other)));
  if (missing.length > 0) next['subjects'] = [...held, ...missing];
  return equalJson(next, stored) ? undefined : { update: next };
}

/** A copy with the labels and annotations that are missing. */
function withMetadata(stored: ApiObject, wanted: ApiObject): ApiObject {
  const next = copyJson(stored);
  for (const member of ['labels', 'annotations'] as const) {
    if (wanted.metadata[member] === undefined) continue;
    next.metadata[member] = { ...wanted.metadata[member], ...stored.metadata[member] };
  }
  return next;
}

/** The permissions of the wanted rules, one by one, that no single held rule grants. */
function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): JsonObject[] {
  return wanted
    .filter((rule) => !held.some((other) => isSame(rule, other)))
    .flatMap((rule) => [
      ...resourceRules(rule).filter((each) => !held.some((other) => grantsResource(other, each))),
      ...pathRules(rule).filter((each) => !held.some((other) => grantsPath(other, each))),
    ]);
}

function isSame(one: PolicyRule, other: PolicyRule): boolean {
  return equalJson(one as unknown as Json, other as unknown as Json);
}

function* combinations({ apiGroups, resources, verbs, resourceNames }: PolicyRule) {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) for (const name of names) yield { group, resource, verb, name };
    }
  }
}

function resourceRules(rule: PolicyRule) {
  return Array.from(combinations(rule), ({ group, resource, verb, name }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [verb],
    ...(name === undefined ? {} : { resourceNames: [name] }),
  }));
}

function pathRules({ nonResourceURLs, verbs }: PolicyRule) {
  return nonResourceURLs.flatMap((path) => verbs.map((verb) => ({ nonResourceURLs: [path], verbs: [verb] })));
}

function grantsResource(held: PolicyRule, rule: ReturnType<typeof resourceRules>[number]): boolean {
  const [group = '', name, verb = ''] = [rule.apiGroups[0], rule.resources[0], rule.verbs[0]];
  const [resource = '', subresource = ''] = (name ?? '').split(/\/(.*)/s, 2);
  const object = rule.resourceNames?.[0] ?? '';
  return ruleAllows(held, { verb, isResourceRequest: true, path: '', group, resource, subresource, name: object });
}

function grantsPath(held: PolicyRule, { nonResourceURLs, verbs }: ReturnType<typeof pathRules>[number]): boolean {
  const [path = '', verb = ''] = [nonResourceURLs[0], verbs[0]];
  const nothing = { group: '', resource: '', subresource: '', name: '' };
  return ruleAllows(held, { verb, isResourceRequest: false, path, ...nothing });
}

function selectorsIn(role: ApiObject): readonly Json[] | undefined {
  const rule = role['aggregationRule'] as JsonObject | undefined;
  return rule === undefined ? undefined : ((rule['clusterRoleSelectors'] ?? []) as Json[]);
}

function listIn(object: ApiObject, member: string): readonly Json[] {
  return (object[member] ?? []) as Json[];
}
