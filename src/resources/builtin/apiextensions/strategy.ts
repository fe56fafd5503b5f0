// Strategy of CustomResourceDefinition: the server sets its status and the stored versions, and custom objects are
// deleted before it is.

import { generateNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, JsonObject } from '../../../api/object.ts';
import { overItems } from '../../../base/resumed.ts';
import { isSince } from '../../../lifecycle/version.ts';
import { cleanDefaults } from '../../../schema/structural/clean-defaults.ts';
import { isKnownFormat } from '../../../schema/structural/formats.ts';
import { numberType } from '../../../schema/structural/number-type.ts';
import { membersOf, schemaAt, schemasIn } from '../../../schema/structural/schema-source.ts';
import { markTerminating } from '../../custom/definition-conditions.ts';
import { schemaOf, storageVersionOf, versionsOf } from '../../custom/definition-versions.ts';
import type { Strategy, StrategyContext } from '../../definition.ts';
import { objectIn } from '../../fill-in.ts';
import { lateRules } from '../../late-rules.ts';
import { listAt, textAt } from '../../value.ts';
import { ObjectMeta } from '../meta/v1.ts';

/** The finalizer for custom objects. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export const definitionStrategy: Partial<Strategy> = {
  anyFinalizer: true,
  prepareForCreate: (definition) => {
    const stored = storageVersionOf(definition);
    definition['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [stored.name],
    };
    cleanSchemas(definition);
  },
  prepareForUpdate: (next) => {
    addStoredVersion(next);
    cleanSchemas(next);
  },
  nameRule: {
    faults: (name, isPrefix, { object: definition }) => {
      const faults = isPrefix ? generateNameFaults('subdomain', name) : subdomainFaults(name);
      const wanted = `${textAt(definition, 'spec', 'names', 'plural')}.${textAt(definition, 'spec', 'group')}`;
      return name === wanted ? faults : [...faults, 'must be spec.names.plural+"."+spec.group'];
    },
  },
  ...lateRules(async () => {
    const rules = await import('../../custom/definition-validation.ts');
    return {
      validateCreate: rules.validateNewDefinition,
      validateUpdate: rules.validateDefinitionUpdate,
      subresources: { status: { validateUpdate: rules.validateDefinitionStatus } },
    };
  }, 'status'),
  warnings: (next, previous, context) => {
    const before = new Set(previous === undefined ? [] : allWarnings(previous, context));
    return [...new Set(allWarnings(next, context))].filter((warning) => !before.has(warning));
  },
  deletion: { marking: { mark: markForCleanup } },
};

function markForCleanup(definition: ApiObject): void {
  const { metadata } = definition;
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(CLEANUP_FINALIZER)) metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
  markTerminating(definition, 'pending', metadata.deletionTimestamp ?? '');
}

/** The status is still that of the previous object, which stays as it is if this update is refused. */
function addStoredVersion(definition: ApiObject): void {
  const stored = storageVersionOf(definition)?.name;
  const known = listAt(definition, 'status', 'storedVersions');
  if (stored === undefined || known.includes(stored)) return;
  definition['status'] = { ...objectIn(definition, 'status'), storedVersions: [...known, stored] };
}

function cleanSchemas(definition: ApiObject): void {
  for (const version of versionsOf(definition)) cleanDefaults(schemaOf(version), ObjectMeta);
}

/** The warnings that a definition deserves, of which an update repeats none. */
function allWarnings(definition: ApiObject, context: StrategyContext): string[] {
  return [
    ...(isSince(context, 34) ? allFormatWarnings(definition, isSince(context, 36) ? isTypesFormat : isTextFormat) : []),
    ...(isSince(context, 37) ? allSetWarnings(definition) : []),
  ];
}

/** Whether a format is recognized for a type. */
type IsRecognized = (type: unknown, format: string) => boolean;

/** Before 1.36 formats of other types than strings were not looked at. */
const isTextFormat: IsRecognized = (type, format) => type !== 'string' || isKnownFormat(format);

const isTypesFormat: IsRecognized = (type = '', format) => {
  if (type === '' || type === 'string') return isKnownFormat(format);
  return typeof type === 'string' && numberType(type, format)?.format === format;
};

function allFormatWarnings(definition: ApiObject, isRecognized: IsRecognized): string[] {
  return versionsOf(definition).flatMap((version) => formatWarnings(schemaOf(version), isRecognized));
}

function formatWarnings(schema: JsonObject | undefined, isRecognized: IsRecognized): string[] {
  if (schema === undefined) return [];
  const { type, format = '' } = schema;
  const found: string[] = [];
  if (typeof format === 'string' && format !== '' && !isRecognized(type, format)) {
    found.push(`unrecognized format ${JSON.stringify(format)}`);
  }
  const ofMembers = overItems(membersOf(schema, 'properties'), ([, each]) => formatWarnings(each, isRecognized));
  for (const each of ofMembers) found.push(each);
  for (const keyword of ['items', 'additionalProperties']) {
    found.push(...formatWarnings(schemaAt(schema, keyword), isRecognized));
  }
  return found;
}

/** The warnings about sets whose items are lists or objects, in the order of their texts. */
function allSetWarnings(definition: ApiObject): string[] {
  return versionsOf(definition)
    .flatMap((version) => setWarnings(schemaOf(version)))
    .toSorted();
}

function setWarnings(schema: JsonObject | undefined): string[] {
  if (schema === undefined) return [];
  const type = schema['x-kubernetes-list-type'] === 'set' && schemaAt(schema, 'items')?.['type'];
  const own = type === 'array' || type === 'object' ? [setWarning(type)] : [];
  return [...own, ...overItems(schemasIn(schema), setWarnings)];
}

function setWarning(type: string): string {
  return `x-kubernetes-list-type: set for items of type "${type}" is not supported by server-side apply or CEL validation rules`;
}
