// The rules of claims for devices, of their templates and of device classes.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { byteLength, labelFaults, labelValueFaults, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { Json } from '../../../api/object.ts';
import type { KindRules } from '../../definition.ts';
import {
  faultErrors,
  IMMUTABLE,
  validateChoice,
  validateImmutable,
  validateItems,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { isObject } from '../../value.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateAdminRequests, validateAdminResults } from './admin-access.ts';
import { validateDomainAttribute, validatePoolName } from './names.ts';
import { type SelectorCheck, selectorCheck } from './selector-expressions.ts';
import type {
  DeviceClaimConfiguration,
  DeviceClassConfiguration,
  DeviceRequestAllocationResult,
} from './v1-objects.ts';
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
} from './v1beta2-objects.ts';

const MAX_REQUESTS = 32;
const MAX_ALTERNATIVES = 8;
const MAX_SELECTORS = 32;
const MAX_CONFIGURATIONS = 32;
const MAX_CONSUMERS = 256;
const PARAMETERS_BYTES = 10 * 1024;
const NOT_A_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
const ONE_FORM = 'exactly one of `exactly` or `firstAvailable` is required';

/** A list of limited length in which no key comes twice. */
export function validateUniqueItems<T>(
  items: readonly T[],
  rules: {
    readonly field: string;
    readonly most: number;
    readonly key: (item: T) => string;
    /** The member that holds the key; '' where items are their own keys. */
    readonly member: string;
    readonly validate: (item: T, field: string) => FieldError[];
  },
): FieldError[] {
  const { field, most, key, member, validate } = rules;
  const seen = new Set<string>();
  return [
    ...validateItems(items, field, (item, here) => validate(item, here)),
    ...validateMostItems(items, most, field),
    ...validateItems(items, field, (item, here) => {
      const text = key(item);
      const repeated = seen.has(text);
      seen.add(text);
      return repeated ? [fieldError.duplicate(member === '' ? here : `${here}.${member}`, text)] : [];
    }),
  ];
}

/** What requests a claim has, as they are referred to: `gpu`, and `gpu/large` for an alternative of one. */
function requestNames(spec: ResourceClaimSpec | undefined): Set<string> {
  const names = new Set<string>();
  for (const request of spec?.devices?.requests ?? []) {
    const name = request.name ?? '';
    names.add(name);
    for (const each of request.firstAvailable ?? []) names.add(`${name}/${each.name ?? ''}`);
  }
  return names;
}

/** The spec of a claim, of its own or in a template. */
function validateClaimSpec(spec: ResourceClaimSpec | undefined, field: string, check: SelectorCheck): FieldError[] {
  const names = requestNames(spec);
  const here = `${field}.devices`;
  const constraints = spec?.devices?.constraints ?? [];
  const configurations = spec?.devices?.config ?? [];
  return [
    ...validateUniqueItems(spec?.devices?.requests ?? [], {
      field: `${here}.requests`,
      most: MAX_REQUESTS,
      key: (request) => request.name ?? '',
      member: 'name',
      validate: (request, path) => validateRequest(request, path, check),
    }),
    ...validateItems(constraints, `${here}.constraints`, (constraint, path) =>
      validateConstraint(constraint, path, names),
    ),
    ...validateMostItems(constraints, MAX_REQUESTS, `${here}.constraints`),
    ...validateItems(configurations, `${here}.config`, (configuration, path) => [
      ...validateReferences(configuration, path, names),
      ...validateConfiguration(configuration, path),
    ]),
    ...validateMostItems(configurations, MAX_CONFIGURATIONS, `${here}.config`),
  ];
}

function validateRequest(request: DeviceRequest, field: string, check: SelectorCheck): FieldError[] {
  const name = request.name ?? '';
  const alternatives = request.firstAvailable ?? [];
  const exactly = request.exactly;
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  found.push(
    ...validateUniqueItems(alternatives, {
      field: `${field}.firstAvailable`,
      most: MAX_ALTERNATIVES,
      key: (each) => each.name ?? '',
      member: 'name',
      validate: (each, here) => {
        const own = each.name ?? '';
        return [...faultErrors(labelFaults(own), own, `${here}.name`), ...validateWanted(each, here, check)];
      },
    }),
  );
  if (exactly !== undefined) found.push(...validateWanted(exactly, `${field}.exactly`, check));
  const forms = (exactly !== undefined ? 1 : 0) + (alternatives.length > 0 ? 1 : 0);
  if (forms === 0) found.push(fieldError.required(field, ONE_FORM));
  if (forms > 1) found.push(fieldError.invalid(field, null, `${ONE_FORM}, but multiple fields are set`));
  return found;
}

/** Which devices are wanted, and how many of them. */
function validateWanted(
  wanted: ExactDeviceRequest | DeviceSubRequest,
  field: string,
  check: SelectorCheck,
): FieldError[] {
  const deviceClass = wanted.deviceClassName ?? '';
  const here = `${field}.deviceClassName`;
  return [
    ...(deviceClass === ''
      ? [fieldError.required(here)]
      : faultErrors(subdomainFaults(deviceClass), deviceClass, here)),
    ...validateSelectors(wanted.selectors ?? [], `${field}.selectors`, check),
    ...validateCount(wanted, field),
    ...validateItems(wanted.tolerations ?? [], `${field}.tolerations`, validateToleration),
  ];
}

function validateSelectors(selectors: readonly DeviceSelector[], field: string, check: SelectorCheck): FieldError[] {
  return [
    ...validateItems(selectors, field, (selector, here) => {
      if (selector.cel === undefined) return [fieldError.required(`${here}.cel`)];
      return check(selector.cel?.expression ?? '', `${here}.cel.expression`);
    }),
    ...validateMostItems(selectors, MAX_SELECTORS, field),
  ];
}

function validateCount(wanted: ExactDeviceRequest | DeviceSubRequest, field: string): FieldError[] {
  const mode = wanted.allocationMode ?? '';
  const count = Number(wanted.count ?? 0);
  const here = `${field}.count`;
  if (mode === 'All') {
    const why = "must not be specified when allocationMode is 'All'";
    return count === 0 ? [] : [fieldError.invalid(here, count, why)];
  }
  if (mode !== 'ExactCount') return validateChoice(mode, ['All', 'ExactCount'], `${field}.allocationMode`);
  return count > 0 ? [] : [fieldError.invalid(here, count, 'must be greater than zero')];
}

function validateToleration(toleration: DeviceToleration, field: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration;
  const found = key === '' ? [] : faultErrors(qualifiedNameFaults(key), key, `${field}.key`);
  if (operator === 'Exists') {
    if (value !== '') found.push(fieldError.invalid(`${field}.value`, value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal') {
    found.push(...faultErrors(labelValueFaults(value), value, `${field}.value`));
  } else if (operator === '') found.push(fieldError.required(`${field}.operator`));
  else found.push(...validateChoice(operator, ['Equal', 'Exists'], `${field}.operator`));
  if (effect !== '') found.push(...validateChoice(effect, ['NoExecute', 'NoSchedule'], `${field}.effect`));
  return found;
}

function validateReferences(
  holder: { readonly requests?: readonly string[] },
  field: string,
  names: ReadonlySet<string>,
): FieldError[] {
  return validateUniqueItems(holder.requests ?? [], {
    field: `${field}.requests`,
    most: MAX_REQUESTS,
    key: (name) => name,
    member: '',
    validate: (name, here) => validateReference(name, here, names),
  });
}

function validateReference(name: string, field: string, names: ReadonlySet<string>): FieldError[] {
  const segments = name.split('/');
  if (segments.length > 2) return [fieldError.invalid(field, name, NOT_A_REQUEST)];
  const found = segments.flatMap((segment) => faultErrors(labelFaults(segment), segment, field));
  return names.has(name) ? found : [...found, fieldError.invalid(field, name, NOT_A_REQUEST)];
}

function validateConstraint(constraint: DeviceConstraint, field: string, names: ReadonlySet<string>): FieldError[] {
  const found = validateReferences(constraint, field, names);
  const [match, distinct] = [constraint.matchAttribute, constraint.distinctAttribute];
  if (match !== undefined) found.push(...validateDomainAttribute(match, `${field}.matchAttribute`));
  else if (distinct !== undefined) {
    found.push(...validateDomainAttribute(distinct, `${field}.distinctAttribute`));
  } else found.push(fieldError.required(`${field}.matchAttribute`));
  return found;
}

function validateConfiguration(
  configuration: DeviceClaimConfiguration | DeviceClassConfiguration,
  field: string,
): FieldError[] {
  const opaque = configuration.opaque;
  const here = `${field}.opaque`;
  if (opaque === undefined) return [fieldError.required(here)];
  return [
    ...validateDriverName(opaque.driver ?? '', `${here}.driver`),
    ...validateRaw(opaque.parameters, `${here}.parameters`),
  ];
}

/** An object of whoever's own; messages don't quote it. */
function validateRaw(value: Json | undefined, field: string): FieldError[] {
  if ((value ?? null) === null) return [fieldError.required(field)];
  if (!isObject(value)) return [fieldError.invalid(field, '<value omitted>', 'must be a valid JSON object')];
  return byteLength(stringifyJson(value)) > PARAMETERS_BYTES ? [fieldError.tooLong(field, PARAMETERS_BYTES)] : [];
}

function validateClaimStatus(next: ResourceClaim, previous: ResourceClaim): FieldError[] {
  const allocation = next.status?.allocation;
  const before = previous.status?.allocation;
  const consumers = next.status?.reservedFor ?? [];
  const field = 'status.reservedFor';
  const found = validateUniqueItems(consumers, {
    field,
    most: MAX_CONSUMERS,
    key: (consumer) => consumer.uid ?? '',
    member: 'uid',
    validate: (consumer, here) =>
      (['resource', 'name', 'uid'] as const)
        .filter((member) => (consumer[member] ?? '') === '')
        .map((member) => fieldError.required(`${here}.${member}`)),
  });
  found.push(...validateAllocatedDevices(next));
  if (consumers.length > 0 && allocation === undefined) {
    found.push(fieldError.forbidden(field, 'may not be specified when `allocated` is not set'));
  }
  if (allocation !== undefined && before !== undefined) {
    return [...found, ...validateImmutable(allocation, before, 'status.allocation')];
  }
  return allocation !== undefined ? [...found, ...validateAllocation(allocation, next)] : found;
}

function validateAllocation(allocation: AllocationResult, claim: ResourceClaim): FieldError[] {
  const names = requestNames(claim.spec);
  return validateItems(allocation.devices?.results ?? [], 'status.allocation.devices.results', (result, field) => {
    const device = result.device ?? '';
    return [
      ...validateReference(result.request ?? '', `${field}.request`, names),
      ...validateDriverName(result.driver ?? '', `${field}.driver`),
      ...validatePoolName(result.pool ?? '', `${field}.pool`),
      ...faultErrors(labelFaults(device), device, `${field}.device`),
    ];
  });
}

/** What is reported of devices must be of devices that the claim was given. */
function validateAllocatedDevices(claim: ResourceClaim): FieldError[] {
  const named = ({ driver, pool, device }: DeviceRequestAllocationResult | AllocatedDeviceStatus) =>
    [driver, pool, device].join('/');
  const identify = (given: DeviceRequestAllocationResult | AllocatedDeviceStatus) =>
    `${named(given)}/${given.shareID ?? ''}`;
  const given = new Set((claim.status?.allocation?.devices?.results ?? []).map(identify));
  return validateItems(claim.status?.devices ?? [], 'status.devices', (device, field) => {
    if (given.has(identify(device))) return [];
    const name = named(device);
    return [fieldError.invalid(field, name, 'must be an allocated device in the claim')];
  });
}

function validateClaim(claim: ResourceClaim, check: SelectorCheck): FieldError[] {
  return validateClaimSpec(claim.spec, 'spec', check);
}

export const resourceClaimRules: KindRules<ResourceClaim> = {
  validateCreate: (claim, context) => [
    ...validateAdminRequests(claim, claim.spec, context),
    ...validateClaim(claim, selectorCheck(undefined, context)),
  ],
  // Kubernetes checks the whole claim before it looks for changes and once more afterwards, templates and classes alike.
  validateUpdate: (next, previous, context) => {
    const found = validateClaim(next, selectorCheck(previous, context));
    return [...found, ...validateSameSpec(next, previous), ...found];
  },
  validateStatusUpdate: (next, previous, context) => [
    ...validateAdminResults(next, previous, context),
    ...validateClaimStatus(next, previous),
  ],
};

function validateTemplate(template: ResourceClaimTemplate, check: SelectorCheck): FieldError[] {
  const metadata = template.spec?.metadata;
  return [
    ...validateTemplateMetadata(metadata, 'spec.metadata'),
    ...validateClaimSpec(template.spec?.spec, 'spec.spec', check),
  ];
}

export const resourceClaimTemplateRules: KindRules<ResourceClaimTemplate> = {
  validateCreate: (template, context) => [
    ...validateAdminRequests(template, template.spec?.spec, context),
    ...validateTemplate(template, selectorCheck(undefined, context)),
  ],
  validateUpdate: (next, previous, context) => {
    const found = validateTemplate(next, selectorCheck(previous, context));
    return [...found, ...validateSameSpec(next, previous), ...found];
  },
};

type HasSpec = Pick<ResourceClaim | ResourceClaimTemplate, 'spec'>;

function validateSameSpec(next: HasSpec, previous: HasSpec): FieldError[] {
  return equalJson(next.spec, previous.spec) ? [] : [fieldError.invalid('spec', next.spec, IMMUTABLE)];
}

function validateClass({ spec }: DeviceClass, check: SelectorCheck): FieldError[] {
  const configurations = spec?.config ?? [];
  return [
    ...validateSelectors(spec?.selectors ?? [], 'spec.selectors', check),
    ...validateItems(configurations, 'spec.config', validateConfiguration),
    ...validateMostItems(configurations, MAX_CONFIGURATIONS, 'spec.config'),
  ];
}

export const deviceClassRules: KindRules<DeviceClass> = {
  validateCreate: (deviceClass, context) => validateClass(deviceClass, selectorCheck(undefined, context)),
  validateUpdate: (next, previous, context) => validateClass(next, selectorCheck(previous, context)),
};
