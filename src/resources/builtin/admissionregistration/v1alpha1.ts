// Types of admissionregistration.k8s.io/v1alpha1.

import { embedded, inline, int64, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, LabelSelector, ListMeta, TypeMeta } from '../meta/v1.ts';
import { RuleWithOperations } from './v1.ts';

export const MutatingAdmissionPolicy = object(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicySpec),
  }),
  { since: 32 },
);

export const MutatingAdmissionPolicySpec = struct('admissionregistration/v1alpha1.MutatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  variables: list(3, Variable).atomic(),
  mutations: list(4, Mutation).atomic(),
  failurePolicy: string(5).pointer().oneOf('Fail', 'Ignore'),
  matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
  reinvocationPolicy: string(7)
    .upTo(33, string(7).oneOf('IfNeeded', 'Never'))
    .from(35, string(7).oneOf('IfNeeded', 'Never')),
}));

export const ParamKind = struct(
  'admissionregistration/v1alpha1.ParamKind',
  () => ({
    apiVersion: string(1),
    kind: string(2),
  }),
  { mapType: 'atomic' },
);

export const MatchResources = struct(
  'admissionregistration/v1alpha1.MatchResources',
  () => ({
    namespaceSelector: pointer(1, LabelSelector),
    objectSelector: pointer(2, LabelSelector),
    resourceRules: list(3, NamedRuleWithOperations).atomic(),
    excludeResourceRules: list(4, NamedRuleWithOperations).atomic(),
    matchPolicy: string(7).pointer().oneOf('Equivalent', 'Exact'),
  }),
  { mapType: 'atomic' },
);

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1alpha1.NamedRuleWithOperations',
  () => ({
    resourceNames: list(1, 'string').atomic(),
    RuleWithOperations: inline(2, RuleWithOperations),
  }),
  { mapType: 'atomic' },
);

export const Variable = struct('admissionregistration/v1alpha1.Variable', () => ({
  name: string(1).required(),
  expression: string(2).required(),
}));

export const Mutation = struct('admissionregistration/v1alpha1.Mutation', () => ({
  patchType: string(2).required().oneOf('ApplyConfiguration', 'JSONPatch').discriminator(),
  applyConfiguration: pointer(3, ApplyConfiguration),
  jsonPatch: pointer(4, JSONPatch),
}));

export const ApplyConfiguration = struct('admissionregistration/v1alpha1.ApplyConfiguration', () => ({
  expression: string(1),
}));

export const JSONPatch = struct('admissionregistration/v1alpha1.JSONPatch', () => ({
  expression: string(1),
}));

export const MatchCondition = struct('admissionregistration/v1alpha1.MatchCondition', () => ({
  name: string(1).required(),
  expression: string(2).required(),
}));

export const MutatingAdmissionPolicyList = objectList(MutatingAdmissionPolicy);

export const MutatingAdmissionPolicyBinding = object(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicyBindingSpec),
  }),
  { since: 32 },
);

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
  }),
);

export const ParamRef = struct(
  'admissionregistration/v1alpha1.ParamRef',
  () => ({
    name: string(1),
    namespace: string(2),
    selector: pointer(3, LabelSelector).since(28),
    parameterNotFoundAction: string(4).pointer().oneOf('Allow', 'Deny').since(28),
  }),
  { mapType: 'atomic' },
);

export const MutatingAdmissionPolicyBindingList = objectList(MutatingAdmissionPolicyBinding);

export const ValidatingAdmissionPolicy = object(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicySpec),
    status: embedded(3, ValidatingAdmissionPolicyStatus).since(27),
  }),
  { since: 26 },
);

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicySpec',
  () => ({
    paramKind: pointer(1, ParamKind),
    matchConstraints: pointer(2, MatchResources),
    validations: list(3, Validation).atomic().upTo(26, list(3, Validation).required().atomic()),
    failurePolicy: string(4).pointer().oneOf('Fail', 'Ignore'),
    auditAnnotations: list(5, AuditAnnotation).atomic().since(27),
    matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name').since(27),
    variables: list(7, Variable)
      .keyed('name')
      .mergedBy('name')
      .upTo(28, list(7, Variable).always().keyed('name').mergedBy('name'))
      .since(28),
  }),
);

export const Validation = struct('admissionregistration/v1alpha1.Validation', () => ({
  expression: string(1).required(),
  message: string(2),
  reason: string(3).pointer(),
  messageExpression: string(4).since(27),
}));

export const AuditAnnotation = struct('admissionregistration/v1alpha1.AuditAnnotation', () => ({
  key: string(1).required(),
  valueExpression: string(2).required(),
}));

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyStatus',
  () => ({
    observedGeneration: int64(1),
    typeChecking: pointer(2, TypeChecking),
    conditions: list(3, Condition).keyed('type'),
  }),
);

export const TypeChecking = struct('admissionregistration/v1alpha1.TypeChecking', () => ({
  expressionWarnings: list(1, ExpressionWarning).atomic(),
}));

export const ExpressionWarning = struct('admissionregistration/v1alpha1.ExpressionWarning', () => ({
  fieldRef: string(2).required(),
  warning: string(3).required(),
}));

export const ValidatingAdmissionPolicyList = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, ValidatingAdmissionPolicy)
      .required()
      .upTo(29, list(2, ValidatingAdmissionPolicy))
      .upTo(28, list(2, ValidatingAdmissionPolicy).required())
      .upTo(27, list(2, ValidatingAdmissionPolicy)),
  }),
  { kinds: ['admissionregistration.k8s.io/v1alpha1/ValidatingAdmissionPolicyList'], since: 26 },
);

export const ValidatingAdmissionPolicyBinding = object(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicyBindingSpec).from(
      36,
      embedded(2, ValidatingAdmissionPolicyBindingSpec).required().omitEmpty(),
    ),
  }),
  { since: 26 },
);

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1).from(36, string(1).required().omitEmpty()),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
    validationActions: list(4, 'string')
      .set()
      .itemsOneOf('Audit', 'Deny', 'Warn')
      .from(36, list(4, 'string').required().omitEmpty().set().itemsOneOf('Audit', 'Deny', 'Warn'))
      .since(27),
  }),
);

export const ValidatingAdmissionPolicyBindingList = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, ValidatingAdmissionPolicyBinding)
      .required()
      .upTo(29, list(2, ValidatingAdmissionPolicyBinding))
      .upTo(28, list(2, ValidatingAdmissionPolicyBinding).required())
      .upTo(27, list(2, ValidatingAdmissionPolicyBinding)),
  }),
  { kinds: ['admissionregistration.k8s.io/v1alpha1/ValidatingAdmissionPolicyBindingList'], since: 26 },
);
