// Validation of admission policies and their bindings.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { parseApiVersion } from '../../../api/group-version.ts';
import { equalJson } from '../../../api/json-equal.ts';
import {
  byteLength,
  label1035Faults,
  pathSegmentFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from '../../../api/names.ts';
import type { ObjectMeta } from '../../../api/object.ts';
import { firstPlaces } from '../../../base/first-places.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { jsonPathFault } from '../../json-path/parse.ts';
import { validateConditions } from '../../validation/conditions.ts';
import { faultErrors, validateChoice, validateItems, validateItemsInOneTurn } from '../../validation/field-rules.ts';
import { validateLabelSelector } from '../../validation/label-selector.ts';
import { AdmissionExpressions } from './expressions.ts';
import type {
  AuditAnnotation,
  ExpressionWarning,
  MatchResources,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  Validation,
  Variable,
} from './v1-objects.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding, Mutation } from './v1alpha1-objects.ts';
import { FAILURE_POLICIES, validateMatchConditions, validateMatchResources } from './validation-rule.ts';

const NOTHING_TO_DO = 'validations or auditAnnotations must contain at least one item';
const MAX_AUDIT_ANNOTATIONS = 20;
const MAX_VALUE_EXPRESSION_BYTES = 5 * 1024;
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
/** Reserved words of CEL. */
const RESERVED: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'namespace',
  'null',
  'package',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;

/** Context of the policy. */
interface PolicyState {
  readonly expressions: AdmissionExpressions;
  /** The stored object of an update; undefined for a create. */
  readonly previous: Policy | undefined;
}

interface PolicyContext {
  readonly previous: Policy | undefined;
  readonly scope: StrategyContext;
  /** Whether expressions may name `variables`. */
  readonly hasVariables: boolean;
}

function stateOf({ spec }: Policy, { previous, scope, hasVariables }: PolicyContext): PolicyState {
  const hasParams = spec?.paramKind !== undefined;
  return { previous, expressions: new AdmissionExpressions({ previous, hasParams, hasVariables, scope }) };
}

/** The common part of validating and mutating policies, up to their variables. */
function validatePolicyHead(
  spec: Policy['spec'],
  { expressions, previous }: PolicyState,
  validateMatch: typeof validateConstraints = validateConstraints,
): FieldError[] {
  const conditions = spec?.matchConditions ?? [];
  const isOld = previous !== undefined && equalJson(conditions, previous.spec?.matchConditions ?? []);
  const { failurePolicy: failure, paramKind: kind, matchConstraints: constraints } = spec ?? {};
  return [
    ...(failure !== undefined
      ? validateChoice(failure, FAILURE_POLICIES, 'spec.failurePolicy')
      : [fieldError.required('spec.failurePolicy')]),
    ...(kind !== undefined ? validateParamKind(kind, 'spec.paramKind') : []),
    ...validateMatch(constraints, 'spec.matchConstraints'),
    ...(isOld ? [] : validateMatchConditions(conditions, 'spec.matchConditions', expressions)),
    ...validateItemsInOneTurn(spec?.variables ?? [], 'spec.variables', (variable, field) =>
      validateVariable(variable, field, expressions),
    ),
  ];
}

function validateConstraints(constraints: MatchResources | undefined, field: string): FieldError[] {
  if (constraints === undefined) return [fieldError.required(field)];
  const found = validateMatchResources(constraints, field);
  if ((constraints.resourceRules ?? []).length > 0) return found;
  return [...found, fieldError.required(`${field}.resourceRules`)];
}

function validateParamKind(kind: ParamKind, field: string): FieldError[] {
  const name = kind.kind ?? '';
  const found = validateParamVersion(kind.apiVersion ?? '', `${field}.apiVersion`);
  if (name === '') return [...found, fieldError.required(`${field}.kind`)];
  const faults = label1035Faults(name.toLowerCase());
  if (faults.length === 0) return found;
  const why = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [...found, fieldError.invalid(`${field}.kind`, name, why)];
}

function validateParamVersion(text: string, field: string): FieldError[] {
  if (text === '') return [fieldError.required(field)];
  const parsed = parseApiVersion(text);
  if (parsed === undefined) return [fieldError.invalid(field, text, `unexpected GroupVersion string: ${text}`)];
  const { group, version } = parsed;
  const groupFaults = group === '' ? [] : subdomainFaults(group);
  const found = groupFaults.length === 0 ? [] : [fieldError.invalid(field, group, groupFaults.join(','))];
  if (version === '') return [...found, fieldError.invalid(field, text, 'version must be specified')];
  const faults = label1035Faults(version);
  return faults.length === 0 ? found : [...found, fieldError.invalid(field, version, faults.join(','))];
}

function validateVariable(variable: Variable, field: string, expressions: AdmissionExpressions): FieldError[] {
  const name = variable.name ?? '';
  const found: FieldError[] = [];
  if (name.trim() === '') found.push(fieldError.required(`${field}.name`, 'name is not specified'));
  else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
    found.push(fieldError.invalid(`${field}.name`, name, 'must be a valid CEL identifier'));
  }
  return [
    ...found,
    ...validateExpression(variable.expression ?? '', `${field}.expression`, (expression, here) =>
      expressions.variable(name, expression, here),
    ),
  ];
}

function validateExpression(
  expression: string,
  field: string,
  compile: (expression: string, field: string) => FieldError[],
): FieldError[] {
  if (expression.trim() !== '') return compile(expression, field);
  return [fieldError.required(field, `${field.slice(field.lastIndexOf('.') + 1)} is not specified`)];
}

function validatePolicy(
  policy: ValidatingAdmissionPolicy,
  previous: ValidatingAdmissionPolicy | undefined,
  context: StrategyContext,
): FieldError[] {
  const { metadata, spec } = policy;
  // Without variables, nothing is called `variables`; in mutating policies it always has a meaning.
  const hasVariables = (spec?.variables ?? []).length > 0;
  const state = stateOf(policy, { previous, scope: context, hasVariables });
  const validations = spec?.validations ?? [];
  const annotations = spec?.auditAnnotations ?? [];
  const found = validatePolicyHead(spec, state);
  if (validations.length === 0 && annotations.length === 0) {
    const missing = ['spec.validations', 'spec.auditAnnotations'];
    return [...found, ...missing.map((field) => fieldError.required(field, NOTHING_TO_DO))];
  }
  return [
    ...found,
    ...validateItemsInOneTurn(validations, 'spec.validations', (each, field) =>
      validateValidation(each, field, state.expressions),
    ),
    ...validateAuditAnnotations(annotations, metadata, state.expressions),
  ];
}

function validateValidation(validation: Validation, field: string, expressions: AdmissionExpressions): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  const found = validateExpression(expression, `${field}.expression`, (text, here) =>
    expressions.validation(text, here),
  );
  if (messageExpression.trim() !== '') {
    found.push(...expressions.message(messageExpression, `${field}.messageExpression`));
  } else if (messageExpression !== '') {
    const why = 'must be non-empty if specified';
    found.push(fieldError.invalid(`${field}.messageExpression`, messageExpression, why));
  }
  found.push(...validateMessage(message, `${field}.message`));
  return reason !== undefined ? [...found, ...validateChoice(reason, REASONS, `${field}.reason`)] : found;
}

function validateMessage(message: string, field: string): FieldError[] {
  const trimmed = message.trim();
  if (message !== '' && trimmed === '') return [fieldError.invalid(field, message, 'must be non-empty if specified')];
  if (/[\r\n]/.test(trimmed)) return [fieldError.invalid(field, message, 'must not contain line breaks')];
  return [];
}

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  { name = '' }: ObjectMeta,
  expressions: AdmissionExpressions,
): FieldError[] {
  const keys = new Set<string>();
  const field = 'spec.auditAnnotations';
  const found = validateItemsInOneTurn(annotations, field, (annotation, here) => {
    const key = annotation.key ?? '';
    const full = `${name}/${key}`;
    const errors =
      name === ''
        ? [fieldError.invalid(`${here}.key`, key, 'requires metadata.name be non-empty')]
        : faultErrors(qualifiedNameFaults(full), full, `${here}.key`);
    errors.push(
      ...validateExpression(annotation.valueExpression ?? '', `${here}.valueExpression`, (text, place) =>
        validateValueExpression(text, place, expressions),
      ),
    );
    if (keys.has(key)) errors.push(fieldError.duplicate(`${here}.key`, key));
    keys.add(key);
    return errors;
  });
  if (annotations.length <= MAX_AUDIT_ANNOTATIONS) return found;
  const why = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
  return [fieldError.invalid(field, annotations, why), ...found];
}

/** Surrounding blanks do not count; an expression that is too long is not compiled, and reported as missing. */
function validateValueExpression(text: string, field: string, expressions: AdmissionExpressions): FieldError[] {
  if (byteLength(text.trim()) <= MAX_VALUE_EXPRESSION_BYTES) return expressions.auditAnnotation(text, field);
  return [fieldError.required(field, `must not exceed ${MAX_VALUE_EXPRESSION_BYTES} bytes in length`)];
}

function validateExpressionWarning({ fieldRef = '', warning = '' }: ExpressionWarning, field: string): FieldError[] {
  return [
    ...(warning === '' ? [fieldError.required(`${field}.warning`)] : []),
    ...validateFieldRef(fieldRef, `${field}.fieldRef`),
  ];
}

function validateFieldRef(text: string, field: string): FieldError[] {
  if (text.trim() === '') return [fieldError.required(field)];
  const fault = jsonPathFault(text);
  return fault === undefined ? [] : [fieldError.invalid(field, text, `invalid JSONPath: ${fault}`)];
}

function validateStatus({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const warnings = status?.typeChecking?.expressionWarnings ?? [];
  return [
    ...validateItems(warnings, 'status.typeChecking.expressionWarnings', validateExpressionWarning),
    ...validateConditions(status?.conditions ?? [], 'status.conditions'),
  ];
}

export const validatingPolicyRules: KindRules<ValidatingAdmissionPolicy> = {
  validateCreate: (policy, context) => validatePolicy(policy, undefined, context),
  validateUpdate: validatePolicy,
  subresources: { status: { validateUpdate: validateStatus } },
};

const PATCH_TYPES = [
  { type: 'ApplyConfiguration', member: 'applyConfiguration' },
  { type: 'JSONPatch', member: 'jsonPatch' },
] as const;

function validateMutatingPolicy(
  policy: MutatingAdmissionPolicy,
  previous: MutatingAdmissionPolicy | undefined,
  context: StrategyContext,
): FieldError[] {
  const { spec } = policy;
  const reinvocation = spec?.reinvocationPolicy ?? '';
  const mutations = spec?.mutations ?? [];
  const state = stateOf(policy, { previous, scope: context, hasVariables: true });
  const found = validatePolicyHead(spec, state, (constraints, field) => [
    ...validateConstraints(constraints, field),
    ...validateOperations(constraints, field),
  ]);
  if (mutations.length === 0) {
    found.push(fieldError.required('spec.mutations', 'mutations must contain at least one item'));
  }
  found.push(
    ...validateItemsInOneTurn(mutations, 'spec.mutations', (each, field) => validateMutation(each, field, state)),
  );
  if (reinvocation === '') return [...found, fieldError.required('spec.reinvocationPolicy')];
  return [...found, ...validateChoice(reinvocation, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy')];
}

/** A mutation has the field of its patch type and not the other one. */
function validateMutation(mutation: Mutation, field: string, { expressions }: PolicyState): FieldError[] {
  const type = mutation.patchType ?? '';
  const own = PATCH_TYPES.find((each) => each.type === type);
  if (type === '') return [fieldError.required(`${field}.patchType`)];
  if (own === undefined) {
    return [fieldError.notSupported(`${field}.patchType`, type, ['ApplyConfiguration', 'JSONPatch'])];
  }
  const others = PATCH_TYPES.filter((each) => each !== own);
  return [own, ...others].flatMap(({ type: wanted, member }) => {
    const here = `${field}.${member}`;
    const patch = mutation[member];
    if (wanted !== type) {
      if (patch === undefined) return [];
      return [fieldError.invalid(here, `{${member}}`, `must not be specified when patchType is ${type}`)];
    }
    if (patch === undefined) return [fieldError.required(here, `must be specified when patchType is ${type}`)];
    const expression = patch.expression ?? '';
    if (expression.trim() === '') return [fieldError.required(`${here}.expression`)];
    return expressions[member](expression, `${here}.expression`);
  });
}

const MUTATING_OPERATIONS = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** DELETE cannot be mutated. */
function validateOperations(match: MatchResources | undefined, field: string): FieldError[] {
  const operations = (match?.resourceRules ?? []).flatMap((rule) => rule.operations ?? []);
  return operations.flatMap((each) => validateChoice(each, MUTATING_OPERATIONS, `${field}.resourceRules.operations`));
}

export const mutatingPolicyRules: KindRules<MutatingAdmissionPolicy> = {
  validateCreate: (policy, context) => validateMutatingPolicy(policy, undefined, context),
  validateUpdate: validateMutatingPolicy,
};

const ACTIONS = ['Audit', 'Deny', 'Warn'];

function validateBindingHead({
  spec,
}: ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding): FieldError[] {
  const policy = spec?.policyName ?? '';
  const reference = spec?.paramRef;
  return [
    ...(policy === ''
      ? [fieldError.required('spec.policyName')]
      : faultErrors(subdomainFaults(policy), policy, 'spec.policyName')),
    ...(reference !== undefined ? validateParamRef(reference, 'spec.paramRef') : []),
    ...validateMatchResources(spec?.matchResources, 'spec.matchResources'),
  ];
}

function validateParamRef(reference: ParamRef, field: string): FieldError[] {
  const name = reference.name ?? '';
  const selector = reference.selector;
  const action = reference.parameterNotFoundAction ?? '';
  const exclusive = 'name and selector are mutually exclusive';
  const found = name === '' ? [] : faultErrors(pathSegmentFaults(name), name, `${field}.name`);
  if (selector !== undefined) {
    if (name !== '') found.push(fieldError.forbidden(`${field}.name`, exclusive));
    found.push(...validateLabelSelector(selector, `${field}.selector`));
    if (name !== '') found.push(fieldError.forbidden(`${field}.selector`, exclusive));
  } else if (name === '') found.push(fieldError.required(field, 'one of name or selector must be specified'));
  const here = `${field}.parameterNotFoundAction`;
  if (action === '') return [...found, fieldError.required(here)];
  return [...found, ...validateChoice(action, ['Deny', 'Allow'], here)];
}

function validateActions(actions: readonly string[], field: string): FieldError[] {
  if (actions.length === 0) return [fieldError.required(field, 'at least one validation action is required')];
  const places = firstPlaces(actions);
  const found = validateItems(actions, field, (action, here, index) => [
    ...validateChoice(action, ACTIONS, here),
    ...(places.get(action) !== index ? [fieldError.duplicate(here, action)] : []),
  ]);
  if (!actions.includes('Deny') || !actions.includes('Warn')) return found;
  const why =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [...found, fieldError.invalid(field, actions, why)];
}

export const validatingBindingRules: KindRules<ValidatingAdmissionPolicyBinding> = {
  validate: (binding) => [
    ...validateBindingHead(binding),
    ...validateActions(binding.spec?.validationActions ?? [], 'spec.validationActions'),
  ],
};

export const mutatingBindingRules: KindRules<MutatingAdmissionPolicyBinding> = {
  validate: (binding) => [
    ...validateBindingHead(binding),
    ...validateOperations(binding.spec?.matchResources, 'spec.matchResources'),
  ],
};
