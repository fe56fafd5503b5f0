// Evaluation of a policy for one request with one set of parameters: a decision for each validation.

import type { Value } from '../../cel/value/value.ts';
import type { ConditionRun, PolicyError } from '../../lifecycle/admission-metrics.ts';
import type { Expression, Policy, Validation } from './policy.ts';
import { CONDITION_BUDGET, Evaluator, OutOfBudget, type Scope, VALIDATION_BUDGET } from './scope.ts';

/** The longest message of an expression, in bytes, as in Kubernetes. */
const MAX_MESSAGE_BYTES = 5_120;
const NO_VARIABLES: ReadonlyMap<string, never> = new Map<string, never>();

/** Why a request is denied. */
export interface Denial {
  readonly message: string;
  /** A reason of a Status; '' for Invalid. */
  readonly reason: string;
  /** Whether the request is denied regardless of the binding's actions. */
  readonly always: boolean;
  /** The index of the validation; the first one if none applies. */
  readonly index: number;
  /** Whether it is a failure that the policy ignores, which is only counted. */
  readonly passedOver?: boolean;
}

/** The error type of a denial in metrics: derived from its text, even if written by a policy's author. */
export function errorKind(message: string): PolicyError {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}

/** An audit annotation of a policy. */
type Annotate = (key: string, value: string) => void;

interface Listeners {
  /** Receives audit annotations of the policy. */
  readonly note?: Annotate;
  /** Receives results and durations of match conditions. */
  readonly told?: (met: boolean | string, seconds: number) => void;
}

/** Metrics of match conditions. kube-apiserver does not count exclusions, and has a single type. */
export function policyConditions(
  { name, operation }: { readonly name: string; readonly operation: string },
  met: boolean | string,
  seconds: number,
): ConditionRun {
  const failed = typeof met === 'string';
  return { kind: 'policy', type: 'validate', name, operation, seconds, failed, excluded: false };
}

/**
 * The denials of a policy; none if it admits the request or does not match it. Failed validations are included even if
 * the policy ignores failures.
 */
export function judge(policy: Policy, scope: Scope, { note = () => {}, told }: Listeners = {}): Denial[] {
  const { compiled } = policy;
  const failure = (message: string): Denial[] =>
    policy.failsClosed ? [{ message, reason: '', always: false, index: 0 }] : [];
  try {
    const startMs = performance.now();
    const concerned = meetsConditions(compiled.conditions, { ...scope, namespaceObject: null });
    if (compiled.conditions.length > 0) told?.(concerned, (performance.now() - startMs) / 1000);
    if (typeof concerned === 'string') return failure(concerned);
    if (!concerned) return [];
    return [...validate(policy, scope), ...annotate(policy, scope, note)];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return failure(error.message);
  }
}

/**
 * Whether all conditions hold; a text if that cannot be determined. A condition that is false takes precedence over one
 * that fails.
 * @throws OutOfBudget
 */
export function meetsConditions(conditions: readonly Expression[], scope: Scope): boolean | string {
  const evaluator = new Evaluator(scope, NO_VARIABLES, CONDITION_BUDGET);
  const faults: string[] = [];
  let isMet = true;
  for (const outcome of conditions.map((each) => evaluator.evaluate(each))) {
    if (outcome.error !== undefined) faults.push(outcome.error);
    else if (outcome.value === false) isMet = false;
  }
  if (!isMet) return false;
  if (faults.length === 0) return true;
  return faults.length === 1 ? (faults[0] as string) : `[${faults.join(', ')}]`;
}

function validate(policy: Policy, scope: Scope): Denial[] {
  const { validations, variables } = policy.compiled;
  const evaluator = new Evaluator(scope, variables, VALIDATION_BUDGET);
  const outcomes = validations.map((each) => evaluator.evaluate(each));
  // The rest of the budget pays for the messages.
  const messages = new Messages(new Evaluator(scope, variables, evaluator.budget), validations);
  return outcomes.flatMap((outcome, index): Denial[] => {
    const validation = validations[index] as Validation;
    if (outcome.error !== undefined) {
      return [{ message: outcome.error, reason: '', always: false, index, passedOver: !policy.failsClosed }];
    }
    if (messages.fault !== undefined) {
      return policy.failsClosed
        ? [{ message: `failed messageExpression: ${messages.fault}`, reason: '', always: false, index }]
        : [];
    }
    if (outcome.value === true) return [];
    return [{ message: messages.of(index), reason: validation.reason, always: false, index }];
  });
}

/** The messages of all validations, needed or not, because all are charged. */
class Messages {
  readonly #texts: readonly string[];
  /** Why there is none. */
  readonly fault: string | undefined;

  constructor(evaluator: Evaluator, validations: readonly Validation[]) {
    try {
      this.#texts = validations.map((validation) => messageOf(validation, evaluator));
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error;
      this.#texts = [];
      this.fault = error.message;
    }
  }

  of(index: number): string {
    return this.#texts[index] ?? '';
  }
}

function messageOf({ text, message, messageExpression }: Validation, evaluator: Evaluator): string {
  const outcome = messageExpression === undefined ? undefined : evaluator.evaluate(messageExpression);
  const own = outcome === undefined || outcome.error !== undefined ? '' : lawfulMessage(outcome.value);
  if (own !== '') return own;
  return message === '' ? `failed expression: ${text.trim()}` : message;
}

function lawfulMessage(value: Value): string {
  if (typeof value !== 'string') return '';
  const text = value.trim();
  return text.includes('\n') || new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES ? '' : text;
}

/** Evaluates audit annotations. Failures are denials. */
function annotate(policy: Policy, scope: Scope, note: Annotate): Denial[] {
  const { auditAnnotations, variables } = policy.compiled;
  const evaluator = new Evaluator(scope, variables, VALIDATION_BUDGET);
  return auditAnnotations.flatMap((annotation): Denial[] => {
    const outcome = evaluator.evaluate(annotation);
    if (outcome.error === undefined) {
      const value = typeof outcome.value === 'string' ? outcome.value.trim() : '';
      if (value !== '') note(annotation.key, shortened(value));
      return [];
    }
    return policy.failsClosed ? [{ message: outcome.error, reason: '', always: true, index: 0 }] : [];
  });
}

/** The longest value of an annotation, in bytes, as in Kubernetes. */
const MAX_ANNOTATION_BYTES = 10 * 1024;

function shortened(value: string): string {
  if (value.length * 3 <= MAX_ANNOTATION_BYTES) return value;
  const bytes = new TextEncoder().encode(value);
  return bytes.length <= MAX_ANNOTATION_BYTES
    ? value
    : new TextDecoder().decode(bytes.subarray(0, MAX_ANNOTATION_BYTES));
}
