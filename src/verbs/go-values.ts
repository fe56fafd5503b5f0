// Values in errors as releases before 1.34 write them: in Go's syntax, with the names of Go's types. Structs that no
// table here names stay JSON.

import type { FieldError } from '../api/errors.ts';
import { goSyntax } from '../api/go-text.ts';
import type { Json } from '../api/object.ts';
import { HeldText, PointedText, WrittenValue } from '../api/quoted-value.ts';
import { goQuote } from '../base/go-quote.ts';
import { isSince } from '../lifecycle/version.ts';
import { goTyped } from './go-types.ts';

const TEXTS = 'map[string]string';
const BYTES = '[]byte';
const SELECTOR = 'v1.LabelSelector';
const SELECTOR_MEMBERS: readonly string[] = ['matchLabels', 'matchExpressions'];
const RESOURCES = 'core.ResourceList';

/** Go types of values by the fields that errors are about, where the value does not determine the type, or is nil. */
const TYPES: readonly (readonly [field: RegExp, type: string, detail?: RegExp])[] = [
  [/(?:^|\.)labels\[/, TEXTS],
  [/(?:^|\.)(?:labels|matchLabels|annotations|nodeSelector|parameters|attributes)$/, TEXTS],
  [/^spec\.request$/, BYTES],
  [/^(?:status\.storedVersions|spec\.cidrs)$/, '[]string'],
  [/\.onExitCodes\.values$/, '[]int32'],
  [/\.operations$/, '[]admissionregistration.OperationType'],
  [/\.validationActions$/, '[]admissionregistration.ValidationAction'],
  [/\.volumeLifecycleModes$/, '[]storage.VolumeLifecycleMode'],
  [/\.accessModes$/, '[]core.PersistentVolumeAccessMode'],
  [/^spec\.capacity$/, RESOURCES],
  [/^spec\.policyTypes$/, '[]networking.PolicyType'],
  [/^spec\.scopes$/, '[]core.ResourceQuotaScope'],
  [/\.webhookClientConfig\.caBundle$/, BYTES],
  [/^spec\.versions$/, '[]apiextensions.CustomResourceDefinitionVersion'],
  [/^spec$/, '[]networking.IngressRule', /^either `defaultBackend` or `rules`/],
  [/\.(?:verbs|resources|apiGroups|apiVersions|resourceNames|nonResourceURLs|admissionReviewVersions)$/, '[]string'],
];

/** Types of single values that are structs in Go, by the fields and details of the errors that quote them. */
const VALUES: readonly (readonly [field: RegExp, type: string, detail?: RegExp])[] = [
  [/\.(?:maxSurge|maxUnavailable|minAvailable)$/, 'intstr.IntOrString', /^(?!must be greater than or equal to 0$)/],
  [/(?:^|[.\]])/, 'resource.Quantity', /^must be an integer$/],
  [
    /^spec\.limits\[/,
    'resource.Quantity',
    /^(?:min|default|default request) value \S+ (?:is greater than|must equal to)|^ratio \S+ is /,
  ],
  [/^spec\.metrics\[.*\.target\.(?:value|averageValue)$/, 'resource.Quantity', /^must be positive$/],
];

/** Structs, and lists of them. */
const STRUCTS: readonly (readonly [field: RegExp, type: string])[] = [
  [/(?:^|\.)(?:selector|\w+Selector)$/, SELECTOR],
  [/^metadata\.ownerReferences$/, 'v1.OwnerReference'],
  [/\.imagePullSecrets\[\d+\]$/, 'core.LocalObjectReference'],
  [/^status\.podIPs$/, 'core.PodIP'],
  [/^status\.hostIPs$/, 'core.HostIP'],
  [/^roleRef$/, 'rbac.RoleRef'],
  [/olerations(?:\.tolerations)?\[\d+\]\.operator$/, 'core.Toleration'],
  [/\.x-kubernetes-validations\[\d+\]\.(?:rule|messageExpression)$/, 'apiextensions.ValidationRule'],
];

/** Maps whose keys are names of resources: Go writes these names without quotes. */
const BY_RESOURCE_NAME =
  /(?:^|\.)(?:hard|used|limits|requests|max|min|default|defaultRequest|maxLimitRequestRatio|podFixed|capacity|allocatable)$/;
const RESIZE_POLICY = /\.resizePolicy(?:\[\d+\])?$/;
/** Errors of resize policies that are not about the name of the resource, but about the restart. */
const OF_RESTART = /"RestartContainer"|^must be 'NotRequired' when /;
/** Errors that are only about names of resources. */
const OF_RESOURCE_NAME =
  /^(?:must be a standard resource (?:for containers|type or fully qualified)|doesn't follow extended resource name standard)$|^supported values: "ControllerResizeInProgress"|^must match one of the container's resource /;

const TIME_FIELD = /(?:Time|Timestamp)$/;
/** Times that are never nil in Go. */
const STORED_TIME = /^eventTime$/;
const ZERO_TIME = '0001-01-01 00:00:00 +0000 UTC';
const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d*[1-9])?(?:\.?0*)Z$/;

/** The first minor release of Kubernetes 1 that quotes a text, and not the object that holds it. */
const TEXTS_ALONE = 32;

/** Values in schemas of custom resources. */
const SCHEMA = '.openAPIV3Schema';
const IN_SCHEMA = /\.(?:default|enum\[\d+\]|example)(?:$|[.[])/;

/**
 * The errors with their values in Go's syntax.
 * @param isCustom whether they are about a custom object, whose content has no Go types
 */
export function withGoValues(found: readonly FieldError[], isCustom: boolean, minor: number): readonly FieldError[] {
  const written = new Map<unknown, WrittenValue>();
  return found.map((told) => {
    if (!('value' in told)) return told;
    const error =
      isSince({ minor }, TEXTS_ALONE) && told.value instanceof HeldText ? { ...told, value: told.value.text } : told;
    const type = typeOf(error);
    const isKnown = written.get(error.value);
    if (isKnown !== undefined && type === undefined) return { ...error, value: isKnown };
    const isUntyped = isCustom ? !error.field.startsWith('metadata') : isInSchema(error.field);
    const text = isUntyped ? untyped(error.value) : goValue(error, type);
    if (text === undefined) return error;
    const value = new WrittenValue(text);
    if (typeof error.value === 'object' && type === undefined) written.set(error.value, value);
    return { ...error, value };
  });
}

function isInSchema(field: string): boolean {
  return field.includes(SCHEMA) && IN_SCHEMA.test(field.slice(field.indexOf(SCHEMA) + SCHEMA.length));
}

function typeOf({ field, detail }: FieldError): string | undefined {
  return TYPES.find(([fields, , details]) => fields.test(field) && details?.test(detail) !== false)?.[1];
}

/** A value in Go's syntax; undefined if it is written as in newer releases. */
function goValue({ field, value, detail }: FieldError, type: string | undefined): string | undefined {
  // A nil value of a type without a name is replaced by a text, which is quoted like any other.
  if (value === undefined || value === null) {
    if (STORED_TIME.test(field)) return ZERO_TIME;
    return type === undefined ? goQuote('null') : `${type}(nil)`;
  }
  if (value instanceof PointedText) return goQuote(value.text);
  if (value instanceof HeldText) return structText(field, value.holder);
  if (typeof value === 'object') {
    const text = type === RESOURCES ? goTyped(value, type) : type === undefined ? structText(field, value) : undefined;
    if (text !== undefined) return text;
  }
  const single = VALUES.find(([fields, , details]) => fields.test(field) && details?.test(detail) !== false)?.[1];
  if (single !== undefined && (typeof value === 'string' || typeof value === 'number')) return goTyped(value, single);
  if (typeof value === 'string') return type === BYTES ? bytesText(value) : namedText(field, value, detail);
  // Revisions are unsigned.
  if (typeof value === 'number' && field === 'metadata.resourceVersion') return `0x${value.toString(16)}`;
  if (Array.isArray(value)) return listText(value, type);
  if (type === TEXTS && typeof value === 'object') return mapText(value as Record<string, string>);
  return undefined;
}

/** A struct, or a list of structs; undefined for one whose fields are not known. */
function structText(field: string, value: object): string | undefined {
  const type = STRUCTS.find(([fields]) => fields.test(field))?.[1];
  if (type === undefined) return undefined;
  if (!Array.isArray(value)) return type === SELECTOR && !isSelector(value) ? undefined : goTyped(value, type);
  return value.some((each) => typeof each === 'object') ? goTyped(value, `[]${type}`) : undefined;
}

/** Selectors of a few kinds are maps of strings. */
function isSelector(value: object): boolean {
  return Object.keys(value).every((name) => SELECTOR_MEMBERS.includes(name));
}

/** Texts of types that say how they are written. */
function namedText(field: string, value: string, detail: string): string | undefined {
  if (OF_RESOURCE_NAME.test(detail)) return value;
  if ((RESIZE_POLICY.test(field) && !OF_RESTART.test(detail)) || isKey(field, value)) return value;
  const time = TIME_FIELD.test(field) ? TIME.exec(value) : null;
  return time === null ? undefined : `${time[1]} ${time[2]}${time[3] ?? ''} +0000 UTC`;
}

/** Whether a field is the one of a name of a resource in a map. */
function isKey(field: string, name: string): boolean {
  return field.endsWith(`[${name}]`) && BY_RESOURCE_NAME.test(field.slice(0, -name.length - 2));
}

function listText(list: readonly unknown[], type: string | undefined): string | undefined {
  if (list.every((each) => typeof each === 'string')) return `${type ?? '[]string'}{${list.map(goQuote).join(', ')}}`;
  if (list.every((each) => typeof each === 'number')) return `${type ?? '[]int32'}{${list.join(', ')}}`;
  return undefined;
}

function mapText(map: Readonly<Record<string, string>>): string {
  const members = Object.keys(map)
    .sort()
    .map((key) => `${goQuote(key)}:${goQuote(map[key] as string)}`);
  return `${TEXTS}{${members.join(', ')}}`;
}

function bytesText(base64: string): string {
  const bytes = [...atob(base64.replace(/\s/g, ''))].map((each) => `0x${each.charCodeAt(0).toString(16)}`);
  return `${BYTES}{${bytes.join(', ')}}`;
}

function untyped(value: unknown): string | undefined {
  if (value === undefined || value === null) return goQuote('null');
  return typeof value === 'object' && !(value instanceof PointedText) ? goSyntax(value as Json) : undefined;
}
