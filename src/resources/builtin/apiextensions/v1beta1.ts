// Types of apiextensions.k8s.io/v1beta1.

import {
  bool,
  bytes,
  embedded,
  float64,
  inline,
  int32,
  int64,
  json,
  list,
  map,
  pointer,
  string,
  struct,
  time,
} from '../../../schema/build.ts';
import { object, objectList } from '../meta/object.ts';
import { Status, TypeMeta } from '../meta/v1.ts';

export const ConversionReview = struct(
  'apiextensions/v1beta1.ConversionReview',
  () => ({
    TypeMeta: inline(0, TypeMeta),
    request: pointer(1, ConversionRequest),
    response: pointer(2, ConversionResponse),
  }),
  { kinds: ['apiextensions.k8s.io/v1beta1/ConversionReview'] },
);

export const ConversionRequest = struct('apiextensions/v1beta1.ConversionRequest', () => ({
  uid: string(1).required(),
  desiredAPIVersion: string(2).required(),
  objects: list(3, 'raw').required().atomic(30),
}));

export const ConversionResponse = struct('apiextensions/v1beta1.ConversionResponse', () => ({
  uid: string(1).required(),
  convertedObjects: list(2, 'raw').required().atomic(30),
  result: embedded(3, Status).required(),
}));

export const CustomResourceDefinition = object(
  'apiextensions/v1beta1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1beta1',
  () => ({
    spec: embedded(2, CustomResourceDefinitionSpec).required(),
    status: embedded(3, CustomResourceDefinitionStatus),
  }),
);

export const CustomResourceDefinitionSpec = struct('apiextensions/v1beta1.CustomResourceDefinitionSpec', () => ({
  group: string(1).required(),
  version: string(2),
  names: embedded(3, CustomResourceDefinitionNames).required(),
  scope: string(4).required(),
  validation: pointer(5, CustomResourceValidation),
  subresources: pointer(6, CustomResourceSubresources),
  versions: list(7, CustomResourceDefinitionVersion).atomic(30),
  additionalPrinterColumns: list(8, CustomResourceColumnDefinition).atomic(30),
  selectableFields: list(11, SelectableField).atomic().behind('CustomResourceFieldSelectors').since(30),
  conversion: pointer(9, CustomResourceConversion),
  preserveUnknownFields: bool(10).pointer(),
}));

export const CustomResourceDefinitionNames = struct('apiextensions/v1beta1.CustomResourceDefinitionNames', () => ({
  plural: string(1).required(),
  singular: string(2),
  shortNames: list(3, 'string').atomic(30),
  kind: string(4).required(),
  listKind: string(5),
  categories: list(6, 'string').atomic(30),
}));

export const CustomResourceValidation = struct('apiextensions/v1beta1.CustomResourceValidation', () => ({
  openAPIV3Schema: pointer(1, JSONSchemaProps),
}));

export const JSONSchemaProps = struct('apiextensions/v1beta1.JSONSchemaProps', () => ({
  id: string(1),
  $schema: string(2),
  $ref: string(3).pointer(),
  description: string(4),
  type: string(5),
  format: string(6),
  title: string(7),
  default: json(8).pointer(),
  maximum: float64(9).pointer(),
  exclusiveMaximum: bool(10),
  minimum: float64(11).pointer(),
  exclusiveMinimum: bool(12),
  maxLength: int64(13).pointer(),
  minLength: int64(14).pointer(),
  pattern: string(15),
  maxItems: int64(16).pointer(),
  minItems: int64(17).pointer(),
  uniqueItems: bool(18),
  multipleOf: float64(19).pointer(),
  enum: list(20, 'json').atomic(30),
  maxProperties: int64(21).pointer(),
  minProperties: int64(22).pointer(),
  required: list(23, 'string').atomic(30),
  items: pointer(24, JSONSchemaPropsOrArray).bare(),
  allOf: list(25, JSONSchemaProps).atomic(30),
  oneOf: list(26, JSONSchemaProps).atomic(30),
  anyOf: list(27, JSONSchemaProps).atomic(30),
  not: pointer(28, JSONSchemaProps).bare(),
  properties: map(29, JSONSchemaProps),
  additionalProperties: pointer(30, JSONSchemaPropsOrBool).bare(),
  patternProperties: map(31, JSONSchemaProps),
  dependencies: map(32, JSONSchemaPropsOrStringArray),
  additionalItems: pointer(33, JSONSchemaPropsOrBool).bare(),
  definitions: map(34, JSONSchemaProps),
  externalDocs: pointer(35, ExternalDocumentation).bare(),
  example: json(36).pointer().bare(),
  nullable: bool(37),
  'x-kubernetes-preserve-unknown-fields': bool(38).pointer(),
  'x-kubernetes-embedded-resource': bool(39),
  'x-kubernetes-int-or-string': bool(40),
  'x-kubernetes-list-map-keys': list(41, 'string').atomic(30),
  'x-kubernetes-list-type': string(42).pointer(),
  'x-kubernetes-map-type': string(43).pointer(),
  'x-kubernetes-validations': list(44, ValidationRule).keyed('rule').mergedBy('rule'),
}));

export const JSONSchemaPropsOrArray = struct(
  'apiextensions/v1beta1.JSONSchemaPropsOrArray',
  () => ({
    Schema: pointer(1, JSONSchemaProps).required(),
    JSONSchemas: list(2, JSONSchemaProps).required().atomic(30),
  }),
  { form: 'structOrList' },
);

export const JSONSchemaPropsOrBool = struct(
  'apiextensions/v1beta1.JSONSchemaPropsOrBool',
  () => ({
    Allows: bool(1).required(),
    Schema: pointer(2, JSONSchemaProps).required(),
  }),
  { form: 'structOrBool' },
);

export const JSONSchemaPropsOrStringArray = struct(
  'apiextensions/v1beta1.JSONSchemaPropsOrStringArray',
  () => ({
    Schema: pointer(1, JSONSchemaProps).required(),
    Property: list(2, 'string').required().atomic(30),
  }),
  { form: 'structOrList' },
);

export const ExternalDocumentation = struct('apiextensions/v1beta1.ExternalDocumentation', () => ({
  description: string(1),
  url: string(2),
}));

export const ValidationRule = struct('apiextensions/v1beta1.ValidationRule', () => ({
  rule: string(1).required(),
  message: string(2),
  messageExpression: string(3).since(27),
  reason: string(4)
    .pointer()
    .oneOf('FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired')
    .since(28),
  fieldPath: string(5).since(28),
  optionalOldSelf: bool(6).pointer().behind('CRDValidationRatcheting').since(29),
}));

export const CustomResourceSubresources = struct('apiextensions/v1beta1.CustomResourceSubresources', () => ({
  status: pointer(1, CustomResourceSubresourceStatus),
  scale: pointer(2, CustomResourceSubresourceScale),
}));

export const CustomResourceSubresourceStatus = struct(
  'apiextensions/v1beta1.CustomResourceSubresourceStatus',
  () => ({}),
);

export const CustomResourceSubresourceScale = struct('apiextensions/v1beta1.CustomResourceSubresourceScale', () => ({
  specReplicasPath: string(1).required(),
  statusReplicasPath: string(2).required(),
  labelSelectorPath: string(3).pointer(),
}));

export const CustomResourceDefinitionVersion = struct('apiextensions/v1beta1.CustomResourceDefinitionVersion', () => ({
  name: string(1).required(),
  served: bool(2).required(),
  storage: bool(3).required(),
  deprecated: bool(7),
  deprecationWarning: string(8).pointer(),
  schema: pointer(4, CustomResourceValidation),
  subresources: pointer(5, CustomResourceSubresources),
  additionalPrinterColumns: list(6, CustomResourceColumnDefinition).atomic(30),
  selectableFields: list(9, SelectableField).atomic().behind('CustomResourceFieldSelectors').since(30),
}));

export const CustomResourceColumnDefinition = struct('apiextensions/v1beta1.CustomResourceColumnDefinition', () => ({
  name: string(1).required(),
  type: string(2).required(),
  format: string(3),
  description: string(4),
  priority: int32(5),
  JSONPath: string(6).required(),
}));

export const SelectableField = struct('apiextensions/v1beta1.SelectableField', () => ({
  jsonPath: string(1).required(),
}));

export const CustomResourceConversion = struct('apiextensions/v1beta1.CustomResourceConversion', () => ({
  strategy: string(1).required(),
  webhookClientConfig: pointer(2, WebhookClientConfig),
  conversionReviewVersions: list(3, 'string').atomic(30),
}));

export const WebhookClientConfig = struct('apiextensions/v1beta1.WebhookClientConfig', () => ({
  url: string(3).pointer(),
  service: pointer(1, ServiceReference),
  caBundle: bytes(2),
}));

export const ServiceReference = struct('apiextensions/v1beta1.ServiceReference', () => ({
  namespace: string(1).required(),
  name: string(2).required(),
  path: string(3).pointer(),
  port: int32(4).pointer(),
}));

export const CustomResourceDefinitionStatus = struct('apiextensions/v1beta1.CustomResourceDefinitionStatus', () => ({
  conditions: list(1, CustomResourceDefinitionCondition).always().keyed('type'),
  acceptedNames: embedded(2, CustomResourceDefinitionNames).always(),
  storedVersions: list(3, 'string').always().atomic(30),
  observedGeneration: int64(4).behind('CRDObservedGenerationTracking').since(35),
}));

export const CustomResourceDefinitionCondition = struct(
  'apiextensions/v1beta1.CustomResourceDefinitionCondition',
  () => ({
    type: string(1).required(),
    status: string(2).required(),
    lastTransitionTime: time(3),
    reason: string(4),
    message: string(5),
    observedGeneration: int64(6).behind('CRDObservedGenerationTracking').since(35),
  }),
);

export const CustomResourceDefinitionList = objectList(CustomResourceDefinition);
