// Strategy of a custom resource in one version: its schema, and the rules of all custom resources.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { STANDARD_FINALIZERS } from '../../api/names.ts';
import type { ApiObject, JsonObject } from '../../api/object.ts';
import { isSince } from '../../lifecycle/version.ts';
import type { CustomSchema } from '../../schema/structural/custom-schema.ts';
import { CompiledPatterns } from '../../schema/structural/pattern.ts';
import {
  type ScalePaths,
  type Strategy,
  type StrategyContext,
  type SubresourceRules,
  WHOLE_METADATA,
} from '../definition.ts';
import { at, textAt } from '../value.ts';
import { accessorFault } from './accessor-fault.ts';
import { ExpressionRules } from './expression-rules.ts';

interface CustomRules {
  readonly schema: CustomSchema;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  /** The paths of selectable fields, without the leading dot. */
  readonly selectable: readonly string[];
  /** Selectable in any version: the fields that the watch cache keeps for each object. */
  readonly selectableAnywhere: readonly string[];
  /** The minor release of Kubernetes 1 whose rules apply. */
  readonly minor: number;
}

/** The gate of ratcheting: values that an update leaves unchanged need not be valid. */
const RATCHETING = 'CRDValidationRatcheting';
const MAX_REPLICAS = 2 ** 31 - 1;

/** The first minor release of Kubernetes 1 in which numbers are in the range of their type and format. */
const RANGES_NUMBERS = 36;

/** The first minor release of Kubernetes 1 in which a manager that writes the status owns none of the metadata. */
const RESETS_METADATA = 36;

/** The first minor release of Kubernetes 1 whose errors have the path of a faulty status. */
const TELLS_STATUS = 31;

function inStatus(found: FieldError[], minor: number | undefined): FieldError[] {
  if (isSince({ minor }, TELLS_STATUS)) return found;
  return found.map((error) => ({ ...error, field: error.field.replace(/^status\./, '') }));
}

export function customStrategy(rules: CustomRules): Strategy {
  const { schema, hasStatus, selectable, selectableAnywhere } = rules;
  const expressions = new ExpressionRules(schema);
  const validate = (
    object: ApiObject,
    previous: ApiObject | undefined,
    { expressions: observer, gateEnabled, memory, minor, warn }: StrategyContext,
  ): FieldError[] => {
    const ratchets = gateEnabled(RATCHETING);
    return expressions.validateAfter({ object, previous, observer, ratchets, minor, warn }, [
      ...schema.validate(object, {
        previous: ratchets ? previous : undefined,
        patterns: memory?.of(CompiledPatterns),
        rangesNumbers: isSince({ minor }, RANGES_NUMBERS),
      }),
      ...scaleErrors(object, rules.scale, true),
      ...schema.validateEmbedded(object),
      ...schema.validateLists(object, previous),
    ]);
  };
  const warnings = (object: ApiObject, previous: ApiObject | undefined): string[] =>
    finalizerWarnings(object.metadata.finalizers ?? [], previous?.metadata.finalizers ?? []);
  return {
    nameRule: 'subdomain',
    anyFinalizer: true,
    generation: { also: hasStatus ? undefined : 'status' },
    createOnUpdate: false,
    unconditionalUpdate: false,
    selection: {
      names: selectable,
      values: selectableAnywhere.length === 0 ? undefined : (object) => valuesAt(object, selectableAnywhere),
      refusal: 'notSupported',
    },
    prepareForCreate: (object) => {
      if (hasStatus) delete object['status'];
    },
    validateCreate: (object, context) => validate(object, undefined, context),
    validateUpdate: validate,
    warnings,
    subresources: hasStatus ? { status: statusRules(rules, expressions, warnings) } : {},
  };
}

function statusRules(
  rules: CustomRules,
  expressions: ExpressionRules,
  warnings: SubresourceRules['warnings'],
): SubresourceRules {
  const { schema } = rules;
  return {
    prepareForUpdate: keepIdentity,
    keeps: WHOLE_METADATA,
    resets: isSince(rules, RESETS_METADATA) ? ['metadata', 'spec'] : ['spec'],
    warnings,
    // Embedded objects are not validated, as in Kubernetes.
    validateUpdate: (next, previous, { expressions: observer, gateEnabled, memory, minor, warn }) => {
      const ratchets = gateEnabled(RATCHETING);
      const before = ratchets ? previous['status'] : undefined;
      return expressions.validateAfter({ object: next, previous, observer, ratchets, minor, warn }, [
        ...(next['status'] === undefined
          ? []
          : inStatus(
              schema.validateStatus(next['status'], {
                previous: before,
                patterns: memory?.of(CompiledPatterns),
                rangesNumbers: isSince({ minor }, RANGES_NUMBERS),
              }),
              minor,
            )),
        ...scaleErrors(next, rules.scale, false),
        ...schema.validateLists(next, previous),
      ]);
    },
  };
}

/** Mutating admission may have changed anything in a custom resource. */
function keepIdentity(next: ApiObject, previous: ApiObject): void {
  const { name, namespace } = previous.metadata;
  Object.assign(next.metadata, { name, namespace });
  Object.assign(next, { kind: previous.kind, apiVersion: previous.apiVersion });
}

/** Warnings about new finalizers without a domain, sorted by name. */
function finalizerWarnings(finalizers: readonly string[], previous: readonly string[]): string[] {
  const before = new Set(previous);
  const added = [...new Set(finalizers)].filter((each) => !before.has(each) && !STANDARD_FINALIZERS.has(each));
  return added
    .filter((each) => !each.includes('/'))
    .sort()
    .map((each) => {
      const form = each.includes('.') ? ' including a path (/)' : '';
      const why = 'to avoid accidental conflicts with other finalizer writers';
      return `metadata.finalizers: ${JSON.stringify(each)}: prefer a domain-qualified finalizer name${form} ${why}`;
    });
}

/** The value at a dotted path; '' if absent. */
export function valuesAt(object: JsonObject, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, textAt(object, ...path.split('.'))]));
}

/** The values shown by a scale must be numbers and strings. */
function scaleErrors(object: JsonObject, scale: ScalePaths | undefined, withSpec: boolean): FieldError[] {
  if (scale === undefined) return [];
  const { specReplicas, statusReplicas, labelSelector } = scale;
  const found = withSpec ? replicasErrors(object, specReplicas) : [];
  found.push(...replicasErrors(object, statusReplicas));
  const fault = labelSelector === undefined ? undefined : accessorFault(object, labelSelector, 'string');
  if (fault !== undefined) found.push(fieldError.invalid(`.${labelSelector?.join('.')}`, '', fault));
  return found;
}

function replicasErrors(object: JsonObject, path: readonly string[]): FieldError[] {
  const field = `.${path.join('.')}`;
  const fault = accessorFault(object, path, 'int64');
  if (fault !== undefined) return [fieldError.invalid(field, 0, fault)];
  const replicas = at(object, ...path) as number | undefined;
  if (replicas === undefined) return [];
  if (replicas < 0) return [fieldError.invalid(field, replicas, 'should be a non-negative integer')];
  if (replicas <= MAX_REPLICAS) return [];
  return [fieldError.invalid(field, replicas, `should be less than or equal to ${MAX_REPLICAS}`)];
}
