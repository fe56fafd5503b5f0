// Translation of a request's selectors to those of the watch cache.

import { errors } from '../api/errors.ts';
import {
  type FieldRequirement,
  type FieldSelector,
  FieldSelectorError,
  parsingFieldSelector,
  unsupportedField,
} from '../api/field-selector.ts';
import { type LabelSelector, LabelSelectorError, parsingLabelSelector } from '../api/label-selector.ts';
import { ownMember } from '../api/own-member.ts';
import { messageOf } from '../base/error-message.ts';
import { limits } from '../base/limits.ts';
import type { ShortTurns } from '../base/short-turns.ts';
import { atOnce, inTurns, type Steps } from '../base/steps.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Selectable, Selection } from '../watchcache/types.ts';
import type { ParsedSelectors, Query } from './query.ts';
import type { ResourceRequest } from './resource-request.ts';

const NO_SELECTORS: ParsedSelectors = { labels: undefined, fields: undefined };

/**
 * Parses `labelSelector` and `fieldSelector`, once for each request; whether their fields are selectable is checked
 * separately.
 * @throws ApiError 400 for an invalid one
 */
export function parseSelectors(query: Query): ParsedSelectors {
  if (query.empty) return NO_SELECTORS;
  query.selectors ??= readSelector(() => atOnce(parsing(query)));
  return query.selectors;
}

/**
 * Parses long selectors in turns, so that `parseSelectors` has them; short ones are left to it, and invalid ones too: it
 * reports them after other faults.
 */
export async function parseLongSelectors(query: Query, turns: ShortTurns): Promise<void> {
  try {
    query.selectors = await inTurns(parsing(query), turns.begin({ taskName: 'reading a long selector' }));
  } catch (error) {
    if (!(error instanceof LabelSelectorError || error instanceof FieldSelectorError)) throw error;
    query.selectorFault = error;
  }
}

/** Whether the selectors of a request are worth `parseLongSelectors`. */
export function hasLongSelectors(query: Query): boolean {
  const { promptSelectorCharacters } = limits;
  return (
    !query.empty &&
    (query.text('labelSelector').length > promptSelectorCharacters ||
      query.text('fieldSelector').length > promptSelectorCharacters)
  );
}

function* parsing(query: Query): Steps<ParsedSelectors> {
  if (query.selectorFault !== undefined) throw query.selectorFault;
  const labels = query.text('labelSelector');
  const fields = query.text('fieldSelector');
  return {
    labels: labels === '' ? undefined : yield* parsingLabelSelector(labels),
    fields: fields === '' ? undefined : yield* parsingFieldSelector(fields),
  };
}

/** The selection of a request. */
export interface RequestSelection extends Selection {
  /**
   * Candidates among objects that a webhook converts: `matches` reads their fields in the version of the request, so
   * they must be prepared first. Undefined if no preparation is needed.
   */
  readonly candidates?: Selection;
}

/**
 * The selection of a request: its scope, narrowed by its selectors.
 * @throws ApiError 400 if a selector names a field that is not selectable
 */
export function selectionOf(request: ResourceRequest, selectors: ParsedSelectors): RequestSelection {
  const { labels, fields } = selectors;
  const base: Selection = {
    namespace: request.namespace === '' ? undefined : request.namespace,
    name: request.name === '' ? undefined : request.name,
    matches: labels === undefined || labels.empty ? undefined : matchingLabels(labels),
    cost: (labels?.requirements.length ?? 0) + (fields?.requirements.length ?? 0),
  };
  return fields === undefined ? base : withFields({ definition: request.definition, fields, base });
}

/** Objects with the same labels, such as the pods of one template, mostly share them: they are compared once in a row. */
function matchingLabels(selector: LabelSelector): NonNullable<Selection['matches']> {
  let known: Selectable['labels'];
  let isMatch = selector.matches(known);
  return ({ labels }) => {
    if (labels !== known) {
      known = labels;
      isMatch = selector.matches(labels);
    }
    return isMatch;
  };
}

function withFields(options: {
  definition: ResourceDefinition;
  fields: FieldSelector;
  base: Selection;
}): RequestSelection {
  const { definition, fields, base } = options;
  const { cost } = base;
  let { namespace, name, matches } = base;
  const rest: FieldRequirement[] = [];
  for (const requirement of fields.requirements) {
    checkField(definition, requirement.field);
    if (requirement.negated) rest.push(requirement);
    else if (requirement.field === 'metadata.name' && name === undefined && requirement.value !== '')
      name = requirement.value;
    else if (
      requirement.field === 'metadata.namespace' &&
      namespace === undefined &&
      definition.namespaced &&
      requirement.value !== ''
    ) {
      namespace = requirement.value;
    } else rest.push(requirement);
  }
  if (rest.length === 0) return { namespace, name, matches, cost };
  const before = matches;
  const conversion = rest.every(({ field }) => isMetadata(field)) ? undefined : definition.storedForm?.conversion;
  const fieldsOf = ({ fields, bytes }: Selectable) => (bytes && conversion?.fields(bytes)) ?? fields;
  matches = (object) =>
    (before === undefined || before(object)) &&
    rest.every(({ field, value, negated }) => {
      const own = isMetadata(field) ? metadataField(object, field) : (ownMember(fieldsOf(object), field) ?? '');
      return (own === value) !== negated;
    });
  if (conversion === undefined) return { namespace, name, matches, cost };
  return { namespace, name, matches, cost, candidates: { namespace, name, matches: before, cost } };
}

function isMetadata(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace';
}

function metadataField({ name, namespace }: Selectable, field: string): string {
  return field === 'metadata.name' ? name : namespace;
}

function checkField(definition: ResourceDefinition, field: string): void {
  const { namespaced, strategy } = definition;
  if (field === 'metadata.name') return;
  // Cluster-scoped kinds with selectable fields of their own do not include the namespace.
  const hasNamespace = namespaced || strategy.selection === undefined;
  if (field === 'metadata.namespace' && hasNamespace) return;
  if (strategy.selection?.names.includes(field) === true) return;
  throw errors.badRequest(unsupportedField(definition, field));
}

function readSelector<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw errors.badRequest(messageOf(error));
  }
}
