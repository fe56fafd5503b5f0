// Types of admissionregistration.k8s.io/v1beta1.

import { bytes, embedded, inline, int32, int64, list, pointer, string, struct } from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Condition, LabelSelector, ListMeta, TypeMeta } from '../meta/v1.ts';
import { RuleWithOperations as AdmissionregistrationRuleWithOperations } from './v1.ts';

export const MutatingAdmissionPolicy = object(
  'admissionregistration/v1beta1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicySpec),
  }),
  { since: 34 },
);

export const MutatingAdmissionPolicySpec = struct('admissionregistration/v1beta1.MutatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ParamKind),
  matchConstraints: pointer(2, MatchResources),
  variables: list(3, Variable).atomic(),
  mutations: list(4, Mutation).atomic(),
  failurePolicy: string(5).pointer(),
  matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
  reinvocationPolicy: string(7).from(35, string(7).oneOf('IfNeeded', 'Never')),
}));

export const ParamKind = struct(
  'admissionregistration/v1beta1.ParamKind',
  () => ({
    apiVersion: string(1),
    kind: string(2),
  }),
  { mapType: 'atomic' },
);

export const MatchResources = struct(
  'admissionregistration/v1beta1.MatchResources',
  () => ({
    namespaceSelector: pointer(1, LabelSelector),
    objectSelector: pointer(2, LabelSelector),
    resourceRules: list(3, NamedRuleWithOperations).atomic(),
    excludeResourceRules: list(4, NamedRuleWithOperations).atomic(),
    matchPolicy: string(7).pointer(),
  }),
  { mapType: 'atomic' },
);

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1beta1.NamedRuleWithOperations',
  () => ({
    resourceNames: list(1, 'string').atomic(),
    RuleWithOperations: inline(2, AdmissionregistrationRuleWithOperations),
  }),
  { mapType: 'atomic' },
);

export const Variable = struct(
  'admissionregistration/v1beta1.Variable',
  () => ({
    name: string(1).required(),
    expression: string(2).required(),
  }),
  { mapType: 'atomic' },
);

export const Mutation = struct('admissionregistration/v1beta1.Mutation', () => ({
  patchType: string(2).required().oneOf('ApplyConfiguration', 'JSONPatch').discriminator(),
  applyConfiguration: pointer(3, ApplyConfiguration),
  jsonPatch: pointer(4, JSONPatch),
}));

export const ApplyConfiguration = struct('admissionregistration/v1beta1.ApplyConfiguration', () => ({
  expression: string(1),
}));

export const JSONPatch = struct('admissionregistration/v1beta1.JSONPatch', () => ({
  expression: string(1),
}));

export const MatchCondition = struct('admissionregistration/v1beta1.MatchCondition', () => ({
  name: string(1).required(),
  expression: string(2).required(),
}));

export const MutatingAdmissionPolicyList = objectList(MutatingAdmissionPolicy);

export const MutatingAdmissionPolicyBinding = object(
  'admissionregistration/v1beta1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, MutatingAdmissionPolicyBindingSpec),
  }),
  { since: 34 },
);

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1beta1.MutatingAdmissionPolicyBindingSpec',
  () => ({
    policyName: string(1),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
  }),
);

export const ParamRef = struct(
  'admissionregistration/v1beta1.ParamRef',
  () => ({
    name: string(1),
    namespace: string(2),
    selector: pointer(3, LabelSelector),
    parameterNotFoundAction: string(4).pointer(),
  }),
  { mapType: 'atomic' },
);

export const MutatingAdmissionPolicyBindingList = objectList(MutatingAdmissionPolicyBinding);

export const MutatingWebhookConfiguration = object(
  'admissionregistration/v1beta1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    webhooks: list(2, MutatingWebhook)
      .keyed('name')
      .mergedBy('name')
      .upTo(29, list(2, MutatingWebhook).mergedBy('name')),
  }),
);

export const MutatingWebhook = struct('admissionregistration/v1beta1.MutatingWebhook', () => ({
  name: string(1).required(),
  clientConfig: embedded(2, WebhookClientConfig).required(),
  rules: list(3, AdmissionregistrationRuleWithOperations)
    .atomic()
    .upTo(29, list(3, AdmissionregistrationRuleWithOperations))
    .upTo(25, list(3, RuleWithOperations)),
  failurePolicy: string(4).pointer(),
  matchPolicy: string(9).pointer(),
  namespaceSelector: pointer(5, LabelSelector),
  objectSelector: pointer(11, LabelSelector),
  sideEffects: string(6).pointer(),
  timeoutSeconds: int32(7).pointer(),
  admissionReviewVersions: list(8, 'string').atomic(30),
  reinvocationPolicy: string(10).pointer().from(35, string(10).pointer().oneOf('IfNeeded', 'Never')),
  matchConditions: list(12, MatchCondition).keyed('name').mergedBy('name').since(27),
}));

export const RuleWithOperations = struct('admissionregistration/v1beta1.RuleWithOperations', () => ({
  operations: list(1, 'string'),
  Rule: inline(2, Rule),
}));

export const Rule = struct('admissionregistration/v1beta1.Rule', () => ({
  apiGroups: list(1, 'string'),
  apiVersions: list(2, 'string'),
  resources: list(3, 'string'),
  scope: string(4).pointer(),
}));

export const WebhookClientConfig = struct('admissionregistration/v1beta1.WebhookClientConfig', () => ({
  url: string(3).pointer(),
  service: pointer(1, ServiceReference),
  caBundle: bytes(2),
}));

export const ServiceReference = struct('admissionregistration/v1beta1.ServiceReference', () => ({
  namespace: string(1).required(),
  name: string(2).required(),
  path: string(3).pointer(),
  port: int32(4).pointer(),
}));

export const MutatingWebhookConfigurationList = objectList(MutatingWebhookConfiguration);

export const ValidatingAdmissionPolicy = object(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicySpec),
    status: embedded(3, ValidatingAdmissionPolicyStatus),
  }),
  { since: 28 },
);

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicySpec',
  () => ({
    paramKind: pointer(1, ParamKind),
    matchConstraints: pointer(2, MatchResources),
    validations: list(3, Validation).atomic(),
    failurePolicy: string(4).pointer(),
    auditAnnotations: list(5, AuditAnnotation).atomic(),
    matchConditions: list(6, MatchCondition).keyed('name').mergedBy('name'),
    variables: list(7, Variable)
      .keyed('name')
      .mergedBy('name')
      .upTo(28, list(7, Variable).always().keyed('name').mergedBy('name')),
  }),
);

export const Validation = struct('admissionregistration/v1beta1.Validation', () => ({
  expression: string(1).required(),
  message: string(2),
  reason: string(3).pointer(),
  messageExpression: string(4),
}));

export const AuditAnnotation = struct('admissionregistration/v1beta1.AuditAnnotation', () => ({
  key: string(1).required(),
  valueExpression: string(2).required(),
}));

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyStatus',
  () => ({
    observedGeneration: int64(1),
    typeChecking: pointer(2, TypeChecking),
    conditions: list(3, Condition).keyed('type'),
  }),
);

export const TypeChecking = struct('admissionregistration/v1beta1.TypeChecking', () => ({
  expressionWarnings: list(1, ExpressionWarning).atomic(),
}));

export const ExpressionWarning = struct('admissionregistration/v1beta1.ExpressionWarning', () => ({
  fieldRef: string(2).required(),
  warning: string(3).required(),
}));

export const ValidatingAdmissionPolicyList = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, ValidatingAdmissionPolicy)
      .required()
      .upTo(29, list(2, ValidatingAdmissionPolicy))
      .upTo(28, list(2, ValidatingAdmissionPolicy).required()),
  }),
  { kinds: ['admissionregistration.k8s.io/v1beta1/ValidatingAdmissionPolicyList'], since: 28 },
);

export const ValidatingAdmissionPolicyBinding = object(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, ValidatingAdmissionPolicyBindingSpec).from(
      36,
      embedded(2, ValidatingAdmissionPolicyBindingSpec).required().omitEmpty(),
    ),
  }),
  { since: 28 },
);

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec',
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

export const ValidatingAdmissionPolicyBindingList = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingList',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    metadata: embedded(1, ListMeta),
    items: list(2, ValidatingAdmissionPolicyBinding)
      .required()
      .upTo(29, list(2, ValidatingAdmissionPolicyBinding))
      .upTo(28, list(2, ValidatingAdmissionPolicyBinding).required()),
  }),
  { kinds: ['admissionregistration.k8s.io/v1beta1/ValidatingAdmissionPolicyBindingList'], since: 28 },
);

export const ValidatingWebhookConfiguration = object(
  'admissionregistration/v1beta1.ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1beta1',
  () => ({
    webhooks: list(2, ValidatingWebhook)
      .keyed('name')
      .mergedBy('name')
      .upTo(29, list(2, ValidatingWebhook).mergedBy('name')),
  }),
);

export const ValidatingWebhook = struct('admissionregistration/v1beta1.ValidatingWebhook', () => ({
  name: string(1).required(),
  clientConfig: embedded(2, WebhookClientConfig).required(),
  rules: list(3, AdmissionregistrationRuleWithOperations)
    .atomic()
    .upTo(29, list(3, AdmissionregistrationRuleWithOperations))
    .upTo(25, list(3, RuleWithOperations)),
  failurePolicy: string(4).pointer(),
  matchPolicy: string(9).pointer(),
  namespaceSelector: pointer(5, LabelSelector),
  objectSelector: pointer(10, LabelSelector),
  sideEffects: string(6).pointer().atomic(30),
  timeoutSeconds: int32(7).pointer(),
  admissionReviewVersions: list(8, 'string').atomic(30),
  matchConditions: list(11, MatchCondition).keyed('name').mergedBy('name').since(27),
}));

export const ValidatingWebhookConfigurationList = objectList(ValidatingWebhookConfiguration);
