// The rules that a custom resource's schema states as expressions, in their place after all others.

import { type FieldError, type FieldErrors, type FieldErrorType, fieldError } from '../../api/errors.ts';
import { validateObjectMeta } from '../../api/metadata-validation.ts';
import type { ApiObject } from '../../api/object.ts';
import { STORED_EXPRESSIONS } from '../../expressions/environments.ts';
import { RuleSet } from '../../expressions/rule-set.ts';
import type { CustomSchema } from '../../schema/structural/custom-schema.ts';
import type { ExpressionObserver } from '../definition.ts';

/** Faults with which a value may not be what expressions take it for. */
const BLOCKING: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const UNCHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete ' +
  'validation';

const isBlocking = ({ type }: FieldError) => BLOCKING.has(type);

/** What is wrong with the metadata, which is told elsewhere: expressions do not run beside it. */
function metadataFaults({ metadata }: ApiObject): FieldErrors {
  const namespaced = metadata.namespace !== undefined;
  return validateObjectMeta(metadata, { namespaced, nameRule: 'subdomain', path: 'metadata', anyFinalizer: true });
}

interface RuledObject {
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly observer: ExpressionObserver | undefined;
}

export class ExpressionRules {
  readonly #schema: CustomSchema;
  #rules: RuleSet | undefined;
  /** What was forgiven of an object, until it is told. */
  readonly #forgiven = new WeakMap<ApiObject, readonly string[]>();

  constructor(schema: CustomSchema) {
    this.#schema = schema;
  }

  /** The faults that were found before, and those that the rules find. */
  validateAfter({ object, previous, observer }: RuledObject, found: FieldError[]): FieldError[] {
    const { part } = this.#schema;
    if (!part.hasRules) return found;
    if (found.some(isBlocking) || metadataFaults(object).some(isBlocking))
      return [...found, fieldError.invalid('<nil>', null, UNCHECKED)];
    const work = this.#rules === undefined ? 'compilation' : 'evaluation';
    const rules = this.#rules ?? new RuleSet(part, true, STORED_EXPRESSIONS);
    this.#rules = rules;
    const validate = () => rules.validate(object, { previous });
    const { errors, warnings } = observer === undefined ? validate() : observer.measure(work, validate);
    this.#forgiven.set(object, warnings);
    return [...found, ...errors];
  }

  /** What an object is told of rules that it went on breaking. */
  warnings(object: ApiObject): string[] {
    return [...(this.#forgiven.get(object) ?? [])];
  }
}
