// Translation of a request's selectors into those of the watch cache.

import { errors } from '../api/errors.ts';
import {
  type FieldRequirement,
  type FieldSelector,
  parseFieldSelector,
  unsupportedField,
} from '../api/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../api/label-selector.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Selectable, Selection } from '../watchcache/types.ts';
import type { Query } from './query.ts';
import type { ResourceRequest } from './resource-request.ts';

/** Selectors whose grammar holds; whether their fields are selectable is another matter. */
interface Selectors {
  readonly labels: LabelSelector | undefined;
  readonly fields: FieldSelector | undefined;
}

const NO_SELECTORS: Selectors = { labels: undefined, fields: undefined };

/**
 * Reads `labelSelector` and `fieldSelector`.
 * @throws ApiError 400 when one can't be read
 */
export function parseSelectors(query: Query): Selectors {
  if (query.empty) return NO_SELECTORS;
  const labels = query.text('labelSelector');
  const fields = query.text('fieldSelector');
  return {
    labels: labels === '' ? undefined : readSelector(() => parseLabelSelector(labels)),
    fields: fields === '' ? undefined : readSelector(() => parseFieldSelector(fields)),
  };
}

/** What a request selects. */
export interface RequestSelection extends Selection {
  /**
   * What may be selected, of objects that somebody else converts: `matches` reads their fields in the version of the
   * request, so that they must be made ready before. Undefined where nothing has to be.
   */
  readonly candidates?: Selection;
}

/**
 * What a request selects: its scope, narrowed by its selectors.
 * @throws ApiError 400 when a selector names a field that is not selectable
 */
export function selectionOf(request: ResourceRequest, selectors: Selectors): RequestSelection {
  const { labels, fields } = selectors;
  const base: Selection = {
    namespace: request.namespace === '' ? undefined : request.namespace,
    name: request.name === '' ? undefined : request.name,
    matches: labels === undefined || labels.empty ? undefined : (object) => labels.matches(object.labels),
  };
  return fields === undefined ? base : withFields({ definition: request.definition, fields, base });
}

function withFields(options: {
  definition: ResourceDefinition;
  fields: FieldSelector;
  base: Selection;
}): RequestSelection {
  const { definition, fields, base } = options;
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
  if (rest.length === 0) return { namespace, name, matches };
  const before = matches;
  const conversion = rest.every(({ field }) => isMetadata(field)) ? undefined : definition.storedForm?.conversion;
  const fieldsOf = ({ fields, bytes }: Selectable) => (bytes && conversion?.fields(bytes)) ?? fields;
  matches = (object) =>
    (before === undefined || before(object)) &&
    rest.every(({ field, value, negated }) => {
      const own = isMetadata(field) ? metadataField(object, field) : (fieldsOf(object)?.[field] ?? '');
      return (own === value) !== negated;
    });
  if (conversion === undefined) return { namespace, name, matches };
  return { namespace, name, matches, candidates: { namespace, name, matches: before } };
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
  // Kinds without a namespace that say themselves what they can be selected by do not name it.
  const hasNamespace = namespaced || (strategy.unknownField ?? 'onlyMetadata') === 'onlyMetadata';
  if (field === 'metadata.namespace' && hasNamespace) return;
  if (strategy.selectableFieldNames.includes(field)) return;
  throw errors.badRequest(unsupportedField(definition, field));
}

function readSelector<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw errors.badRequest(error instanceof Error ? error.message : String(error));
  }
}
