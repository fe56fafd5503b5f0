// The objects of admissionregistration/v1alpha1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { ObjectMeta } from '../../../api/object.ts';
import type { Condition, LabelSelector } from '../meta/v1-objects.ts';

export type MutatingAdmissionPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicySpec;
};

export type MutatingAdmissionPolicySpec = {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly variables?: readonly Variable[];
  readonly mutations?: readonly Mutation[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly reinvocationPolicy?: string;
};

export type ParamKind = {
  readonly apiVersion?: string;
  readonly kind?: string;
};

export type MatchResources = {
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[];
  readonly matchPolicy?: string;
};

export type NamedRuleWithOperations = {
  readonly resourceNames?: readonly string[];
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
};

export type Variable = {
  readonly name?: string;
  readonly expression?: string;
};

export type Mutation = {
  readonly patchType?: string;
  readonly applyConfiguration?: ApplyConfiguration;
  readonly jsonPatch?: JSONPatch;
};

export type ApplyConfiguration = {
  readonly expression?: string;
};

export type JSONPatch = {
  readonly expression?: string;
};

export type MatchCondition = {
  readonly name?: string;
  readonly expression?: string;
};

export type MutatingAdmissionPolicyBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: MutatingAdmissionPolicyBindingSpec;
};

export type MutatingAdmissionPolicyBindingSpec = {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
};

export type ParamRef = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
};

export type ValidatingAdmissionPolicy = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicySpec;
  readonly status?: ValidatingAdmissionPolicyStatus;
};

export type ValidatingAdmissionPolicySpec = {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly validations?: readonly Validation[];
  readonly failurePolicy?: string;
  readonly auditAnnotations?: readonly AuditAnnotation[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
};

export type Validation = {
  readonly expression?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
};

export type AuditAnnotation = {
  readonly key?: string;
  readonly valueExpression?: string;
};

export type ValidatingAdmissionPolicyStatus = {
  readonly observedGeneration?: number | bigint;
  readonly typeChecking?: TypeChecking;
  readonly conditions?: readonly Condition[];
};

export type TypeChecking = {
  readonly expressionWarnings?: readonly ExpressionWarning[];
};

export type ExpressionWarning = {
  readonly fieldRef?: string;
  readonly warning?: string;
};

export type ValidatingAdmissionPolicyBinding = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: ValidatingAdmissionPolicyBindingSpec;
};

export type ValidatingAdmissionPolicyBindingSpec = {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
};
