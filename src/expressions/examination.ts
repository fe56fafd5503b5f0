// Analysis of an expression: its type, estimated cost, value for an object and actual cost. Printed by `keelson cel`.

import { isObject } from '../api/is-object.ts';
import type { Json, JsonObject } from '../api/object.ts';
import type { Environment } from '../cel/environment.ts';
import type { Issue } from '../cel/syntax/expression.ts';
import { DYN, type Type } from '../cel/types/type.ts';
import { typeText } from '../cel/types/type-text.ts';
import { EvaluationError, Interruption } from '../cel/value/evaluation-error.ts';
import type { Value } from '../cel/value/value.ts';
import { parseKubernetesVersion } from '../lifecycle/emulated-version.ts';
import { emulationOf } from '../lifecycle/version.ts';
import { SchemaPart } from '../schema/structural/schema-part.ts';
import { compileExpression } from './compiled-expression.ts';
import { DeclaredTypes } from './declared-type.ts';
import { MAX_RULE_COST } from './definition-rules.ts';
import { type Environments, MAX_EVALUATION_COST, newExpressions, storedExpressions } from './environments.ts';
import { readUntyped } from './untyped-value.ts';
import { jsonOf } from './value-json.ts';
import { readerOf, type ValueReader } from './value-reader.ts';

export interface ExpressionQuestion {
  readonly expression: string;
  /** The schema of `self`, as in a CustomResourceDefinition; without one `self` has type dyn. */
  readonly schema?: JsonObject | undefined;
  /** The value of `self`; without one nothing is evaluated. */
  readonly object?: Json | undefined;
  /** The value of `oldSelf`. */
  readonly oldObject?: Json | undefined;
  /** Whether the expression may use functions that only stored ones may use. */
  readonly stored?: boolean;
  /** The release of Kubernetes that judges: `1.37`, `v1.37` or `1.37.2`; 1.34 by default. */
  readonly kubernetesVersion?: string | undefined;
}

export interface Examination {
  /** Why it does not compile; everything else is then unknown. */
  readonly fault?: string;
  /** The errors with a position: `offset` in code points from the start of the text. */
  readonly issues?: readonly Issue[];
  readonly type?: string;
  /** The estimated maximum cost of an evaluation, and the limit for a rule at one place of a schema. */
  readonly estimate?: { readonly most: number; readonly limit: number };
  readonly value?: Json;
  /** Why there is none. */
  readonly error?: string;
  /** The actual cost, and its limit. */
  readonly cost?: { readonly spent: number; readonly limit: number };
}

/**
 * Type-checks an expression, estimates its cost and, given an object, evaluates it.
 *
 * @throws EmulatedVersionError for a release that is not known
 */
export function examineExpression(question: ExpressionQuestion): Examination {
  const { expression, schema } = question;
  const part = schema === undefined ? undefined : new SchemaPart(schema);
  const types = part === undefined ? undefined : new DeclaredTypes(part, isObjectSchema(part));
  const environment = environmentOf(types, functionsFor(question).for(expression));
  const compiled = compileExpression(environment, expression, { sizes: types });
  if (compiled.fault !== undefined) {
    return { fault: compiled.fault, ...(compiled.issues !== undefined && { issues: compiled.issues }) };
  }
  const known: Examination = {
    type: typeText(compiled.checked.type),
    estimate: { most: compiled.maxCost, limit: MAX_RULE_COST },
  };
  if (question.object === undefined) return known;
  const read = part === undefined ? readUntyped : readerOf(part, isObjectSchema(part));
  try {
    const { value, cost } = compiled.program.evaluate(variablesOf(question, read));
    return { ...known, value: jsonOf(value), cost: { spent: cost, limit: MAX_EVALUATION_COST } };
  } catch (error) {
    if (!(error instanceof EvaluationError) && !(error instanceof Interruption)) throw error;
    return { ...known, error: error.message, cost: { spent: error.cost, limit: MAX_EVALUATION_COST } };
  }
}

/**
 * The schema in a document: that of the storage version of a CustomResourceDefinition, or the document itself.
 * @throws TypeError for any other document
 */
export function schemaIn(document: Json): JsonObject {
  const found =
    isObject(document) && document['kind'] === 'CustomResourceDefinition' ? storedSchema(document) : document;
  if (!isObject(found)) throw new TypeError('the document has no schema');
  return found;
}

function storedSchema({ spec }: JsonObject): Json | undefined {
  const versions = isObject(spec) && Array.isArray(spec['versions']) ? spec['versions'] : [];
  const stored = versions.find((version) => isObject(version) && version['storage'] === true);
  const schema = isObject(stored) ? stored['schema'] : undefined;
  return isObject(schema) ? schema['openAPIV3Schema'] : undefined;
}

/** A schema with metadata describes a whole object. */
function isObjectSchema({ properties, embedded }: SchemaPart): boolean {
  return embedded || properties.has('metadata') || properties.has('spec');
}

/** The functions that a server of the release offers. */
function functionsFor({ kubernetesVersion = '', stored = false }: ExpressionQuestion): Environments {
  const release = parseKubernetesVersion(kubernetesVersion);
  if (stored) return storedExpressions(release.minor);
  const { minor, minCompatibilityMinor } = emulationOf(release.minor, release);
  return newExpressions({ minor, minCompatibilityMinor, gateEnabled: () => true });
}

function environmentOf(types: DeclaredTypes | undefined, base: Environment): Environment {
  const self: Type<unknown> = types?.root?.type ?? DYN;
  return base.extend({
    ...(types === undefined ? {} : { types }),
    variables: [
      { name: 'self', type: self },
      { name: 'oldSelf', type: self },
    ],
  });
}

function variablesOf(
  { object, oldObject }: ExpressionQuestion,
  read: ValueReader,
): (name: string) => Value | undefined {
  return (name) => {
    const json = name === 'self' ? object : oldObject;
    return json === undefined ? undefined : read(json);
  };
}
