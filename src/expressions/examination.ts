// One expression, looked at from all sides: its type, what it is estimated to cost, its value for an object and what
// that cost. What `keelson cel` prints; kube-apiserver tells none of it until an object is refused.

import type { Json, JsonObject } from '../api/object.ts';
import type { Environment } from '../cel/environment.ts';
import type { Issue } from '../cel/syntax/expression.ts';
import { DYN, type Type } from '../cel/types/type.ts';
import { typeText } from '../cel/types/type-text.ts';
import { EvaluationError, Interruption } from '../cel/value/evaluation-error.ts';
import type { Value } from '../cel/value/value.ts';
import { SchemaPart } from '../schema/structural/schema-part.ts';
import { compileExpression } from './compiled-expression.ts';
import { DeclaredTypes } from './declared-type.ts';
import { MAX_RULE_COST } from './definition-rules.ts';
import { MAX_EVALUATION_COST, NEW_EXPRESSIONS, STORED_EXPRESSIONS } from './environments.ts';
import { readUntyped } from './untyped-value.ts';
import { jsonOf } from './value-json.ts';
import { readerOf, type ValueReader } from './value-reader.ts';

export interface ExpressionQuestion {
  readonly expression: string;
  /** The schema of `self`, as a CustomResourceDefinition has it; without one `self` can be anything. */
  readonly schema?: JsonObject | undefined;
  /** The value of `self`; without one nothing is evaluated. */
  readonly object?: Json | undefined;
  /** The value of `oldSelf`. */
  readonly oldObject?: Json | undefined;
  /** Whether the expression may use what only stored ones may. */
  readonly stored?: boolean;
}

export interface Examination {
  /** Why it does not compile; nothing else is known then. */
  readonly fault?: string;
  /** The parts of the fault that have a place: `offset` in code points from the start of the text. */
  readonly issues?: readonly Issue[];
  readonly type?: string;
  /** The most that one evaluation can cost, and what a rule on one place of a schema may cost. */
  readonly estimate?: { readonly most: number; readonly limit: number };
  readonly value?: Json;
  /** Why it has none. */
  readonly error?: string;
  /** What the evaluation cost, and what one may cost. */
  readonly cost?: { readonly spent: number; readonly limit: number };
}

/** Checks an expression, estimates it and, where there is an object, evaluates it. */
export function examineExpression(question: ExpressionQuestion): Examination {
  const { expression, schema, stored = false } = question;
  const part = schema === undefined ? undefined : new SchemaPart(schema);
  const types = part === undefined ? undefined : new DeclaredTypes(part, isObjectSchema(part));
  const environment = environmentOf(
    types,
    stored ? STORED_EXPRESSIONS.for(expression) : NEW_EXPRESSIONS.for(expression),
  );
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
 * The schema that a document holds: of the version that a CustomResourceDefinition stores, or the document itself.
 * @throws TypeError for a document that is neither
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

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema that speaks of metadata is a whole object's. */
function isObjectSchema({ properties, embedded }: SchemaPart): boolean {
  return embedded || properties.has('metadata') || properties.has('spec');
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
