// Types of ValidatingAdmissionPolicies in admissionregistration.k8s.io/v1beta1, a version removed in 1.34.

import { embedded, int64, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition } from '../meta/v1.ts';
import { MatchCondition, MatchResources, ParamKind, ParamRef, Variable } from './v1beta1.ts';

export const ValidatingAdmissionPolicy = object(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicySpec),
    status: embedded(3, ValidatingAdmissionPolicyStatus),
  }),
);

const ValidatingAdmissionPolicySpec = struct('admissionregistration/v1beta1.ValidatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  validations: list(3, Validation).atomic(),
  failurePolicy: string(4).pointer(),
  auditAnnotations: list(5, AuditAnnotation).atomic(),
  matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
  variables: list(7, Variable).keyed('name').mergedBy('name'),
}));

const Validation = struct('admissionregistration/v1beta1.Validation', () => ({
  expression: string(1).required(),
  message: string(2),
  reason: string(3).pointer(),
  messageExpression: string(4),
}));

const AuditAnnotation = struct('admissionregistration/v1beta1.AuditAnnotation', () => ({
  key: string(1).required(),
  valueExpression: string(2).required(),
}));

const ValidatingAdmissionPolicyStatus = struct('admissionregistration/v1beta1.ValidatingAdmissionPolicyStatus', () => ({
  observedGeneration: int64(1),
  typeChecking: pointer(2, TypeChecking),
  conditions: list(3, Condition).keyed('type'),
}));

const TypeChecking = struct('admissionregistration/v1beta1.TypeChecking', () => ({
  expressionWarnings: list(1, ExpressionWarning).atomic(),
}));

const ExpressionWarning = struct('admissionregistration/v1beta1.ExpressionWarning', () => ({
  fieldRef: string(2).required(),
  warning: string(3).required(),
}));

export const ValidatingAdmissionPolicyList = objectList(ValidatingAdmissionPolicy);

export const ValidatingAdmissionPolicyBinding = object(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicyBindingSpec),
  }),
);

const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
    validationActions: list(4, 'string').set().itemsOneOf('Audit', 'Deny', 'Warn'),
  }),
);

export const ValidatingAdmissionPolicyBindingList = objectList(ValidatingAdmissionPolicyBinding);
