// Matching of requests by policies and bindings: rules of resources and operations, namespace selectors and object
// selectors. Webhooks use the same rules.

import { errors } from '../../api/errors.ts';
import { isObject } from '../../api/is-object.ts';
import { labelSelectorOf } from '../../api/label-selector.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { at, listAt, textAt } from '../../resources/value.ts';
import type { ObjectLookup } from '../object-lookup.ts';
import { isOf, NAMESPACES } from '../resources.ts';
import type { Attributes, RequestTarget } from './attributes.ts';

/**
 * The matched request: unchanged, or in the version of a rule. Undefined if no rule matches.
 * @param criteria `matchConstraints` of a policy, `matchResources` of a binding
 * @throws ApiError 404 if the namespace does not exist
 */
export async function matchResources(
  criteria: Json | undefined,
  attributes: Attributes,
  objects: ObjectLookup,
): Promise<RequestTarget | undefined> {
  if (!(await matchesSelectors(criteria, attributes, objects))) return undefined;
  const exact = textAt(criteria, 'matchPolicy') === 'Exact';
  if (matchRules(listAt(criteria, 'excludeResourceRules'), attributes, exact) !== undefined) return undefined;
  const rules = listAt(criteria, 'resourceRules');
  return rules.length === 0 ? attributes.target : matchRules(rules, attributes, exact);
}

/** Whether `namespaceSelector` and `objectSelector` select the request. @throws ApiError 404 as above */
export async function matchesSelectors(
  criteria: Json | undefined,
  attributes: Attributes,
  objects: ObjectLookup,
): Promise<boolean> {
  if (!matchesObject(at(criteria, 'objectSelector'), attributes)) return false;
  return matchesNamespace(at(criteria, 'namespaceSelector'), attributes, objects);
}

/** The matched request by rules alone, without selectors. @param exact whether other versions are ignored */
export function matchRules(rules: readonly Json[], attributes: Attributes, exact: boolean): RequestTarget | undefined {
  const { target } = attributes;
  if (rules.some((rule) => matchesRule(rule, target))) return target;
  if (exact) return undefined;
  for (const rule of rules) {
    const found = attributes.equivalents.find((equivalent) => matchesRule(rule, equivalent));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule(rule: Json, target: RequestTarget): boolean {
  const names = listAt(rule, 'resourceNames');
  return (
    matchesScope(textAt(rule, 'scope'), target) &&
    includes(listAt(rule, 'operations'), target.operation) &&
    includes(listAt(rule, 'apiGroups'), target.group) &&
    includes(listAt(rule, 'apiVersions'), target.version) &&
    listAt(rule, 'resources').some((each) => matchesResource(String(each), target)) &&
    (names.length === 0 || names.includes(target.name))
  );
}

function matchesScope(scope: string, target: RequestTarget): boolean {
  if (scope === '' || scope === '*') return true;
  // A namespace is not in itself.
  const isClustered = target.namespace === '' || isOf(NAMESPACES, target);
  return (scope === 'Cluster') === isClustered;
}

function includes(items: readonly Json[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

function matchesResource(text: string, target: RequestTarget): boolean {
  const slash = text.indexOf('/');
  const [resource, subresource] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
  return (
    (resource === '*' || resource === target.resource) && (subresource === '*' || subresource === target.subresource)
  );
}

function matchesObject(selector: Json | undefined, { labels }: Attributes): boolean {
  if (isEmpty(selector)) return true;
  const compiled = labelSelectorOf(selector as JsonObject);
  return labels.some((each) => compiled.matches(each));
}

/** Cluster-scoped objects match any namespace selector, except namespaces, which match by their own labels. */
async function matchesNamespace(
  selector: Json | undefined,
  attributes: Attributes,
  objects: ObjectLookup,
): Promise<boolean> {
  if (isEmpty(selector)) return true;
  const { subresource, namespace, name } = attributes.target;
  const isNamespace = isOf(NAMESPACES, attributes.target);
  if (!isNamespace && namespace === '') return true;
  // Writes to a subresource of a namespace are selected by the labels that it has.
  const isWritten = isNamespace && subresource === '';
  const written = isWritten ? (attributes.admission.object ?? attributes.admission.previous) : undefined;
  const found: ApiObject | undefined = written ?? (await objects.find(NAMESPACES, '', isNamespace ? name : namespace));
  if (found === undefined) throw errors.notFound({ ...NAMESPACES, name: namespace });
  return labelSelectorOf(selector as JsonObject).matches(found.metadata.labels);
}

function isEmpty(selector: Json | undefined): boolean {
  if (!isObject(selector)) return true;
  const labels = at(selector, 'matchLabels');
  return (!isObject(labels) || Object.keys(labels).length === 0) && listAt(selector, 'matchExpressions').length === 0;
}
