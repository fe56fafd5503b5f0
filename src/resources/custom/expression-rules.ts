// Evaluation of the CEL validation rules of a custom resource, after all other validation.

import { type FieldError, type FieldErrors, type FieldErrorType, fieldError } from '../../api/errors.ts';
import { validateObjectMeta } from '../../api/metadata-validation.ts';
import type { ApiObject } from '../../api/object.ts';
import { storedExpressions } from '../../expressions/environments.ts';
import { RuleSet } from '../../expressions/rule-set.ts';
import type { CustomSchema } from '../../schema/structural/custom-schema.ts';
import type { ExpressionObserver } from '../definition.ts';

/** Errors that mean a value does not have the type that expressions assume. */
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

/** Errors in metadata, which are reported elsewhere: rules do not run if there are any. */
function metadataFaults({ metadata }: ApiObject): FieldErrors {
  const namespaced = metadata.namespace !== undefined;
  return validateObjectMeta(metadata, { namespaced, nameRule: 'subdomain', path: 'metadata', anyFinalizer: true });
}

interface RuledObject {
  readonly object: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly observer: ExpressionObserver | undefined;
  /** Whether unchanged values may violate rules. */
  readonly ratchets: boolean;
  /** The minor release of Kubernetes 1 whose messages errors have. */
  readonly minor: number | undefined;
  /** Receives the errors that ratcheting suppresses, which are told even if there are others. */
  readonly warn: ((warning: string) => void) | undefined;
}

export class ExpressionRules {
  readonly #schema: CustomSchema;
  #rules: RuleSet | undefined;
  /** Whether an object was validated, which compiles the rules. */
  #isCompiled = false;

  constructor(schema: CustomSchema) {
    this.#schema = schema;
  }

  /** The errors found so far, and those of the rules. */
  validateAfter(ruled: RuledObject, found: FieldError[]): FieldError[] {
    const { object, previous, observer, ratchets, minor, warn } = ruled;
    const { part } = this.#schema;
    if (!part.hasRules) return found;
    if (found.some(isBlocking) || metadataFaults(object).some(isBlocking))
      return [...found, fieldError.invalid('<nil>', null, UNCHECKED)];
    const rules = (this.#rules ??= new RuleSet(part, true, storedExpressions(minor)));
    const work = this.#isCompiled ? 'evaluation' : 'compilation';
    const validate = () => rules.validate(object, { previous, ratchets, minor });
    const { errors, warnings } = observer === undefined ? validate() : observer.measure(work, validate);
    this.#isCompiled = true;
    for (const warning of warnings) warn?.(warning);
    return [...found, ...errors];
  }
}
