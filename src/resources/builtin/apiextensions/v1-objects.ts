// The objects of apiextensions/v1.ts, decoded. Written by scripts/object-types.ts: change the declarations instead.

import type { Json, ObjectMeta } from '../../../api/object.ts';
import type { Status } from '../meta/v1-objects.ts';

export type ConversionReview = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly request?: ConversionRequest;
  readonly response?: ConversionResponse;
};

export type ConversionRequest = {
  readonly uid?: string;
  readonly desiredAPIVersion?: string;
  readonly objects?: readonly Json[] | null;
};

export type ConversionResponse = {
  readonly uid?: string;
  readonly convertedObjects?: readonly Json[] | null;
  readonly result?: Status;
};

export type CustomResourceDefinition = {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus;
};

export type CustomResourceDefinitionSpec = {
  readonly group?: string;
  readonly names?: CustomResourceDefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly CustomResourceDefinitionVersion[] | null;
  readonly conversion?: CustomResourceConversion;
  readonly preserveUnknownFields?: boolean;
};

export type CustomResourceDefinitionNames = {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
};

export type CustomResourceDefinitionVersion = {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: CustomResourceValidation;
  readonly subresources?: CustomResourceSubresources;
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  readonly selectableFields?: readonly SelectableField[];
};

export type CustomResourceValidation = {
  readonly openAPIV3Schema?: JSONSchemaProps;
};

export type JSONSchemaProps = {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: Json;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number | bigint;
  readonly minLength?: number | bigint;
  readonly pattern?: string;
  readonly maxItems?: number | bigint;
  readonly minItems?: number | bigint;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly Json[];
  readonly maxProperties?: number | bigint;
  readonly minProperties?: number | bigint;
  readonly required?: readonly string[];
  readonly items?: JSONSchemaPropsOrArray;
  readonly allOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly additionalProperties?: JSONSchemaPropsOrBool;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>>;
  readonly dependencies?: Readonly<Record<string, JSONSchemaPropsOrStringArray | null>>;
  readonly additionalItems?: JSONSchemaPropsOrBool;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>>;
  readonly externalDocs?: ExternalDocumentation;
  readonly example?: Json;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
};

export type JSONSchemaPropsOrArray = JSONSchemaProps | readonly JSONSchemaProps[];

export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;

export type JSONSchemaPropsOrStringArray = JSONSchemaProps | readonly string[];

export type ExternalDocumentation = {
  readonly description?: string;
  readonly url?: string;
};

export type ValidationRule = {
  readonly rule?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

export type CustomResourceSubresources = {
  readonly status?: CustomResourceSubresourceStatus;
  readonly scale?: CustomResourceSubresourceScale;
};

export type CustomResourceSubresourceStatus = Readonly<Record<string, never>>;

export type CustomResourceSubresourceScale = {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
};

export type CustomResourceColumnDefinition = {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
};

export type SelectableField = {
  readonly jsonPath?: string;
};

export type CustomResourceConversion = {
  readonly strategy?: string;
  readonly webhook?: WebhookConversion;
};

export type WebhookConversion = {
  readonly clientConfig?: WebhookClientConfig;
  readonly conversionReviewVersions?: readonly string[] | null;
};

export type WebhookClientConfig = {
  readonly url?: string;
  readonly service?: ServiceReference;
  readonly caBundle?: string;
};

export type ServiceReference = {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
};

export type CustomResourceDefinitionStatus = {
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | null;
  readonly acceptedNames?: CustomResourceDefinitionNames;
  readonly storedVersions?: readonly string[] | null;
};

export type CustomResourceDefinitionCondition = {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
};
