// Types of admissionregistration.k8s.io/v1.

import { bytes, embedded, inline, int32, int64, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, LabelSelector } from '../meta/v1.ts';

export const MutatingWebhookConfiguration = object(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  () => ({
    webhooks: list(2, MutatingWebhook)
      .keyed('name')
      .mergedBy('name')
      .upTo(29, list(2, MutatingWebhook).mergedBy('name')),
  }),
);

export const MutatingWebhook = struct('admissionregistration/v1.MutatingWebhook', () => ({
  name: string(1).required(),
  clientConfig: embedded(2, WebhookClientConfig).required(),
  rules: list(3, RuleWithOperations).atomic(30),
  failurePolicy: string(4).pointer().oneOf('Fail', 'Ignore'),
  matchPolicy: string(9).pointer().oneOf('Equivalent', 'Exact'),
  namespaceSelector: pointer(5, LabelSelector),
  objectSelector: pointer(11, LabelSelector),
  sideEffects: string(6).pointer().required().oneOf('None', 'NoneOnDryRun', 'Some', 'Unknown'),
  timeoutSeconds: int32(7).pointer(),
  admissionReviewVersions: list(8, 'string').required().atomic(30),
  reinvocationPolicy: string(10)
    .pointer()
    .upTo(33, string(10).pointer().oneOf('IfNeeded', 'Never'))
    .from(35, string(10).pointer().oneOf('IfNeeded', 'Never')),
  matchConditions: list(12, MatchCondition).keyed('name').mergedBy('name').since(27),
}));

export const WebhookClientConfig = struct('admissionregistration/v1.WebhookClientConfig', () => ({
  url: string(3).pointer(),
  service: pointer(1, ServiceReference),
  caBundle: bytes(2),
}));

export const ServiceReference = struct('admissionregistration/v1.ServiceReference', () => ({
  namespace: string(1).required(),
  name: string(2).required(),
  path: string(3).pointer(),
  port: int32(4).pointer(),
}));

export const RuleWithOperations = struct('admissionregistration/v1.RuleWithOperations', () => ({
  operations: list(1, 'string').itemsOneOf('*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE').atomic(26),
  Rule: inline(2, Rule),
}));

export const Rule = struct('admissionregistration/v1.Rule', () => ({
  apiGroups: list(1, 'string').atomic(26),
  apiVersions: list(2, 'string').atomic(26),
  resources: list(3, 'string').atomic(26),
  scope: string(4)
    .pointer()
    .from(35, string(4).pointer().oneOf('*', 'Cluster', 'Namespaced')),
}));

export const MatchCondition = struct('admissionregistration/v1.MatchCondition', () => ({
  name: string(1).required(),
  expression: string(2).required(),
}));

export const MutatingWebhookConfigurationList = objectList(MutatingWebhookConfiguration);

export const ValidatingAdmissionPolicy = object(
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicySpec),
    status: embedded(3, ValidatingAdmissionPolicyStatus),
  }),
  { since: 30 },
);

export const ValidatingAdmissionPolicySpec = struct('admissionregistration/v1.ValidatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  validations: list(3, Validation).atomic(),
  failurePolicy: string(4).pointer().oneOf('Fail', 'Ignore'),
  auditAnnotations: list(5, AuditAnnotation).atomic(),
  matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
  variables: list(7, Variable).keyed('name').mergedBy('name'),
}));

export const ParamKind = struct(
  'admissionregistration/v1.ParamKind',
  () => ({
    apiVersion: string(1),
    kind: string(2),
  }),
  { mapType: 'atomic' },
);

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
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
  'admissionregistration/v1.NamedRuleWithOperations',
  () => ({
    resourceNames: list(1, 'string').atomic(),
    RuleWithOperations: inline(2, RuleWithOperations),
  }),
  { mapType: 'atomic' },
);

export const Validation = struct('admissionregistration/v1.Validation', () => ({
  expression: string(1).required(),
  message: string(2),
  reason: string(3).pointer(),
  messageExpression: string(4),
}));

export const AuditAnnotation = struct('admissionregistration/v1.AuditAnnotation', () => ({
  key: string(1).required(),
  valueExpression: string(2).required(),
}));

export const Variable = struct(
  'admissionregistration/v1.Variable',
  () => ({
    name: string(1).required(),
    expression: string(2).required(),
  }),
  { mapType: 'atomic' },
);

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  () => ({
    observedGeneration: int64(1),
    typeChecking: pointer(2, TypeChecking),
    conditions: list(3, Condition).keyed('type'),
  }),
);

export const TypeChecking = struct('admissionregistration/v1.TypeChecking', () => ({
  expressionWarnings: list(1, ExpressionWarning).atomic(),
}));

export const ExpressionWarning = struct('admissionregistration/v1.ExpressionWarning', () => ({
  fieldRef: string(2).required(),
  warning: string(3).required(),
}));

export const ValidatingAdmissionPolicyList = objectList(ValidatingAdmissionPolicy);

export const ValidatingAdmissionPolicyBinding = object(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicyBindingSpec).from(
      36,
      embedded(2, ValidatingAdmissionPolicyBindingSpec).required().omitEmpty(),
    ),
  }),
  { since: 30 },
);

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1).from(36, string(1).required().omitEmpty()),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
    validationActions: list(4, 'string')
      .set()
      .itemsOneOf('Audit', 'Deny', 'Warn')
      .from(36, list(4, 'string').required().omitEmpty().set().itemsOneOf('Audit', 'Deny', 'Warn')),
  }),
);

export const ParamRef = struct(
  'admissionregistration/v1.ParamRef',
  () => ({
    name: string(1),
    namespace: string(2),
    selector: pointer(3, LabelSelector),
    parameterNotFoundAction: string(4).pointer(),
  }),
  { mapType: 'atomic' },
);

export const ValidatingAdmissionPolicyBindingList = objectList(ValidatingAdmissionPolicyBinding);

export const ValidatingWebhookConfiguration = object(
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  () => ({
    webhooks: list(2, ValidatingWebhook)
      .keyed('name')
      .mergedBy('name')
      .upTo(29, list(2, ValidatingWebhook).mergedBy('name')),
  }),
);

export const ValidatingWebhook = struct('admissionregistration/v1.ValidatingWebhook', () => ({
  name: string(1).required(),
  clientConfig: embedded(2, WebhookClientConfig).required(),
  rules: list(3, RuleWithOperations).atomic(30),
  failurePolicy: string(4).pointer().oneOf('Fail', 'Ignore'),
  matchPolicy: string(9).pointer().oneOf('Equivalent', 'Exact'),
  namespaceSelector: pointer(5, LabelSelector),
  objectSelector: pointer(10, LabelSelector),
  sideEffects: string(6).pointer().required().oneOf('None', 'NoneOnDryRun', 'Some', 'Unknown'),
  timeoutSeconds: int32(7).pointer(),
  admissionReviewVersions: list(8, 'string').required().atomic(30),
  matchConditions: list(11, MatchCondition).keyed('name').mergedBy('name').since(27),
}));

export const ValidatingWebhookConfigurationList = objectList(ValidatingWebhookConfiguration);

export const MutatingAdmissionPolicy = object(
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicySpec),
  }),
  { since: 36 },
);

export const MutatingAdmissionPolicySpec = struct('admissionregistration/v1.MutatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  variables: list(3, Variable).atomic(),
  mutations: list(4, Mutation).atomic(),
  failurePolicy: string(5).pointer().oneOf('Fail', 'Ignore'),
  matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
  reinvocationPolicy: string(7).oneOf('IfNeeded', 'Never'),
}));

export const Mutation = struct('admissionregistration/v1.Mutation', () => ({
  patchType: string(2).required().oneOf('ApplyConfiguration', 'JSONPatch').discriminator(),
  applyConfiguration: pointer(3, ApplyConfiguration),
  jsonPatch: pointer(4, JSONPatch),
}));

export const JSONPatch = struct('admissionregistration/v1.JSONPatch', () => ({
  expression: string(1),
}));

export const ApplyConfiguration = struct('admissionregistration/v1.ApplyConfiguration', () => ({
  expression: string(1),
}));

export const MutatingAdmissionPolicyBinding = object(
  'admissionregistration/v1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicyBindingSpec),
  }),
  { since: 36 },
);

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1.MutatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
  }),
);

export const MutatingAdmissionPolicyBindingList = objectList(MutatingAdmissionPolicyBinding);

export const MutatingAdmissionPolicyList = objectList(MutatingAdmissionPolicy);
