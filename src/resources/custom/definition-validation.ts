// Validation of CustomResourceDefinitions, with Kubernetes' order and messages.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { label1035Faults, subdomainFaults } from '../../api/names.ts';
import type { ApiObject, Json, JsonObject } from '../../api/object.ts';
import { CompiledPatterns } from '../../schema/structural/pattern.ts';
import { deniesUnknownFields } from '../../schema/structural/schema-rules.ts';
import { mentionsDefault } from '../../schema/structural/schema-source.ts';
import { isAnyTrue } from '../conditions.ts';
import type { StrategyContext } from '../definition.ts';
import { validateChoice, validateImmutableText } from '../validation/field-rules.ts';
import { at, listAt, textAt } from '../value.ts';
import { approvalErrors } from './approval.ts';
import { conversionErrors, hasBadBundle } from './conversion-rules.ts';
import { definitionSchemaErrors } from './definition-schema-rules.ts';
import {
  type DefinitionVersion,
  hasStatus,
  itemsOf,
  schemaOf,
  sharedParts,
  type VersionPart,
  versionsOf,
} from './definition-versions.ts';
import { PastSchemas } from './past-schemas.ts';
import { preservesAll } from './preserved-fields.ts';
import { columnErrors, selectableErrors, subresourceErrors, warningErrors } from './version-rules.ts';

/** Validation errors of a create. */
export function validateNewDefinition(definition: ApiObject, context: StrategyContext): FieldError[] {
  const found: FieldError[] = [];
  found.push(
    ...specErrors(definition, undefined, context),
    ...statusErrors(definition),
    ...storedVersionErrors(definition),
  );
  found.push(...approvalErrors(definition, undefined), ...preservationErrors(definition, undefined));
  return found;
}

/** Validation errors of an update. */
export function validateDefinitionUpdate(next: ApiObject, previous: ApiObject, context: StrategyContext): FieldError[] {
  const found = specErrors(next, previous, context);
  const [spec, old] = [at(next, 'spec'), at(previous, 'spec')];
  if (isAnyTrue(previous, 'Established')) {
    found.push(...validateImmutableText(at(spec, 'scope'), at(old, 'scope'), 'spec.scope'));
    found.push(...validateImmutableText(at(spec, 'names', 'kind'), at(old, 'names', 'kind'), 'spec.names.kind'));
  }
  found.push(...validateImmutableText(at(spec, 'group'), at(old, 'group'), 'spec.group'));
  found.push(...validateImmutableText(at(spec, 'names', 'plural'), at(old, 'names', 'plural'), 'spec.names.plural'));
  found.push(...statusErrors(next), ...storedVersionErrors(next));
  found.push(...approvalErrors(next, previous), ...preservationErrors(next, previous));
  return found;
}

/** Validation errors of a status update, which may contain anything except invalid names. */
export function validateDefinitionStatus(next: ApiObject): FieldError[] {
  return statusErrors(next);
}

function specErrors(definition: JsonObject, previous: JsonObject | undefined, context: StrategyContext): FieldError[] {
  const spec = at(definition, 'spec');
  const versions = versionsOf(definition);
  const past = new PastSchemas(previous, context);
  const shared = sharedParts(versions);
  const common = { shared, past, patterns: context.memory?.of(CompiledPatterns) };
  const found = groupErrors(textAt(spec, 'group'));
  const scope = textAt(spec, 'scope');
  if (scope === '') found.push(fieldError.required('spec.scope'));
  else found.push(...validateChoice(scope, ['Cluster', 'Namespaced'], 'spec.scope'));
  for (const [index, version] of versions.entries()) {
    if (schemaOf(version) !== undefined) continue;
    found.push(fieldError.required(`spec.versions[${index}].schema.openAPIV3Schema`));
  }
  if (preservesAll(definition) && versions.some((version) => mentionsDefault(schemaOf(version) ?? {}))) {
    const detail = 'must be false in order to use defaults in the schema';
    found.push(fieldError.invalid('spec.preserveUnknownFields', true, detail));
  }
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    found.push(...labelErrors(version.name, `${field}.name`));
    found.push(...warningErrors(version, `${field}.deprecationWarning`));
    found.push(...partErrors(versions, version, { prefix: `${field}.`, schema: 'schema', isShared: false, ...common }));
  }
  found.push(...versionListErrors(versions, at(spec, 'versions') ?? null));
  found.push(...nameErrors(at(spec, 'names'), 'spec.names', true));
  const [first] = versions;
  if (first !== undefined) {
    found.push(...partErrors(versions, first, { prefix: 'spec.', schema: 'validation', isShared: true, ...common }));
  }
  const mayHaveBadBundle =
    previous === undefined || !isAnyTrue(previous as ApiObject, 'Established') || hasBadBundle(previous);
  found.push(
    ...conversionErrors(at(spec, 'conversion'), {
      field: 'spec.conversion',
      mayHaveBadBundle,
      preserves: preservesAll(definition),
    }),
  );
  return found;
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [fieldError.required('spec.group')];
  const faults = subdomainFaults(group);
  if (faults.length > 0) return [fieldError.invalid('spec.group', group, faults.join(','))];
  if (group.includes('.')) return [];
  return [fieldError.invalid('spec.group', group, 'should be a domain with at least one dot')];
}

/** @param said the list as sent, for messages */
function versionListErrors(versions: readonly DefinitionVersion[], said: Json): FieldError[] {
  const found: FieldError[] = [];
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    found.push(fieldError.invalid('spec.versions', said, 'must contain unique version names'));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    found.push(fieldError.invalid('spec.versions', said, detail));
  }
  const name = versions[0]?.name ?? '';
  if (name !== '') found.push(...labelErrors(name, 'spec.version'));
  return found;
}

interface PartPlace {
  /** `spec.` for settings common to all versions, `spec.versions[0].` for others. */
  readonly prefix: string;
  readonly schema: string;
  /** The settings common to all versions. */
  readonly shared: ReadonlySet<VersionPart>;
  /** Whether to validate the common settings, or the others. */
  readonly isShared: boolean;
  /** The schemas of the stored definition in an update. */
  readonly past: PastSchemas;
  /** Those of the server. */
  readonly patterns: CompiledPatterns | undefined;
}

/** Errors in the settings of a version that are common to all versions, or in those that are not. */
function partErrors(
  versions: readonly DefinitionVersion[],
  version: DefinitionVersion,
  { prefix, schema: schemaName, shared, isShared, past, patterns }: PartPlace,
): FieldError[] {
  const found: FieldError[] = [];
  const schema = schemaOf(version);
  if (schema !== undefined && shared.has('schema') === isShared) {
    const statusEnabled = isShared ? versions.some(hasStatus) : hasStatus(version);
    const isOld = past.has(version.name, schema);
    const place = {
      field: `${prefix}${schemaName}`,
      statusEnabled,
      environments: past.environments,
      minor: past.minor,
      isOld,
      patterns,
    };
    found.push(...definitionSchemaErrors(schema, place));
  }
  if (shared.has('subresources') === isShared) {
    found.push(...subresourceErrors(version, `${prefix}subresources`));
  }
  if (shared.has('additionalPrinterColumns') === isShared) {
    for (const [index, column] of itemsOf(version, 'additionalPrinterColumns').entries()) {
      found.push(...columnErrors(column, `${prefix}additionalPrinterColumns[${index}]`));
    }
  }
  if (shared.has('selectableFields') === isShared) {
    const why = isShared
      ? 'may only be set when validations.schema is included'
      : 'may only be set when `version.schema.openAPIV3Schema` is not included';
    // A schema counts only where it is stated: for all versions, or for one.
    const stated = shared.has('schema') === isShared ? schema : undefined;
    const isUsed = stated !== undefined && itemsOf(version, 'selectableFields').length > 0;
    if (isUsed && deniesUnknownFields(stated)) {
      const fault = "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
      found.push(fieldError.invalid(`${prefix}schema.openAPIV3Schema`, '', fault));
    }
    found.push(...selectableErrors(version, `${prefix}selectableFields`, { schema: stated, why }));
  }
  return found;
}

function nameErrors(names: Json | undefined, field: string, required: boolean): FieldError[] {
  const found: FieldError[] = [];
  if (required) {
    for (const name of ['plural', 'singular', 'kind', 'listKind']) {
      if (textAt(names, name) === '') found.push(fieldError.required(`${field}.${name}`));
    }
  }
  for (const name of ['plural', 'singular']) found.push(...resourceNameErrors(textAt(names, name), `${field}.${name}`));
  for (const name of ['kind', 'listKind']) found.push(...kindNameErrors(textAt(names, name), `${field}.${name}`));
  for (const [index, name] of listAt(names, 'shortNames').entries()) {
    found.push(...labelErrors(String(name), `${field}.shortNames[${index}]`));
  }
  const kind = textAt(names, 'kind');
  if (kind !== '' && kind === textAt(names, 'listKind')) {
    found.push(fieldError.invalid(`${field}.listKind`, kind, 'kind and listKind may not be the same'));
  }
  for (const [index, name] of listAt(names, 'categories').entries()) {
    found.push(...labelErrors(String(name), `${field}.categories[${index}]`));
  }
  return found;
}

/** All errors in a label are reported as one. */
function labelErrors(label: string, field: string): FieldError[] {
  const faults = label1035Faults(label);
  return faults.length === 0 ? [] : [fieldError.invalid(field, label, faults.join(','))];
}

function resourceNameErrors(name: string, field: string): FieldError[] {
  return name === '' ? [] : labelErrors(name, field);
}

function kindNameErrors(kind: string, field: string): FieldError[] {
  const faults = kind === '' ? [] : label1035Faults(kind.toLowerCase());
  if (faults.length === 0) return [];
  const detail = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [fieldError.invalid(field, kind, detail)];
}

function statusErrors(definition: JsonObject): FieldError[] {
  return nameErrors(at(definition, 'status', 'acceptedNames'), 'status.acceptedNames', false);
}

function storedVersionErrors(definition: JsonObject): FieldError[] {
  const field = 'status.storedVersions';
  const stored = listAt(definition, 'status', 'storedVersions') as string[];
  if (stored.length === 0) return [fieldError.invalid(field, null, 'must have at least one stored version')];
  const versions = versionsOf(definition);
  const found: FieldError[] = [];
  // A stored version refers to one of spec.versions; duplicates have none.
  const left = new Set(stored);
  for (const { name, storage } of versions) {
    const isStored = left.delete(name);
    if (!storage || isStored) continue;
    found.push(fieldError.invalid(field, stored as Json, `must have the storage version ${name}`));
  }
  const named = new Set(versions.map(({ name }) => name));
  for (const [index, name] of stored.entries()) {
    if (named.has(name)) continue;
    const detail =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until ` +
      `a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    found.push(fieldError.invalid(`${field}[${index}]`, name, detail));
  }
  return found;
}

/** Old definitions preserved all unknown fields; new ones specify that in their schemas. */
function preservationErrors(next: JsonObject, previous: JsonObject | undefined): FieldError[] {
  if (!preservesAll(next) || (previous !== undefined && preservesAll(previous))) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [fieldError.invalid('spec.preserveUnknownFields', true, detail)];
}
