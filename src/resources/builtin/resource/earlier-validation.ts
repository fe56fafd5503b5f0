// Validation of resource.k8s.io/v1alpha2, up to 1.30, and of PodSchedulingContexts, up to 1.31. Errors quote and tell lengths
// as these releases do.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { byteLength, labelFaults, subdomainFaults } from '../../../api/names.ts';
import type { ReadonlyJson } from '../../../api/object.ts';
import { remembering } from '../../../base/resumed.ts';
import { BOOL } from '../../../cel/types/type.ts';
import { attributeEnvironments } from '../../../expressions/attribute-environment.ts';
import { compileInParts } from '../../../expressions/compiled-expression.ts';
import { environmentsAfter } from '../../../expressions/environments.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateImmutable, validateItems } from '../../validation/field-rules.ts';
import { validateNodeSelector } from '../../validation/selectors.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import type {
  AllocationResult,
  NamedResourcesAttribute,
  NamedResourcesInstance,
  PodSchedulingContext,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimParameters,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceClaimTemplate,
  ResourceClass,
  ResourceClassParameters,
  ResourceHandle,
  ResourceSlice,
} from './v1alpha2-objects.ts';

const MODES = ['Immediate', 'WaitForFirstConsumer'] as const;
const MAX_CONSUMERS = 32;
const MAX_HANDLES = 32;
const MAX_NODES = 128;
const DATA_BYTES = 16 * 1024;
const VALUES = ['bool', 'int', 'intSlice', 'quantity', 'string', 'stringSlice', 'version'] as const;
const NUMBER = '(?:0|[1-9]\\d*)';
const LATER = `(?:${NUMBER}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${LATER}(?:\\.${LATER})*)?(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?$`,
);
/** How errors name the place of a field that a struct without a name of its own has at the top of an object. */
const NOWHERE = '<nil>';
const NO_MODEL = 'exactly one structured model field must be set';

interface Reference {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

function validateReference(reference: Reference | undefined, field: string): FieldError[] {
  if (reference === undefined) return [];
  const { namespace = '' } = reference;
  return [
    ...(['kind', 'name'] as const).flatMap((name) =>
      (reference[name] ?? '') === '' ? [fieldError.required(`${field}.${name}`)] : [],
    ),
    ...(namespace === '' ? [] : faultErrors(labelFaults(namespace), namespace, `${field}.namespace`)),
  ];
}

/** Lengths of texts and lists alike. */
function validateLength(length: number, most: number, field: string): FieldError[] {
  if (length <= most) return [];
  return [{ type: 'FieldValueTooLong', field, detail: `may not be longer than ${most}` }];
}

function validateSubdomain(name: string, field: string): FieldError[] {
  return faultErrors(subdomainFaults(name), name, field);
}

function validateSpec(spec: ResourceClaimSpec | undefined, field: string): FieldError[] {
  const { resourceClassName = '', allocationMode = '', parametersRef } = spec ?? {};
  return [
    ...validateSubdomain(resourceClassName, `${field}.resourceClassName`),
    ...validateReference(parametersRef, `${field}.parametersRef`),
    ...validateChoice(allocationMode, MODES, `${field}.allocationMode`),
  ];
}

const sameSpec = (next: { spec?: unknown }, previous: { spec?: unknown }): FieldError[] =>
  validateImmutable(next.spec as ReadonlyJson, previous.spec as ReadonlyJson, 'spec');

export const claimRules: KindRules<ResourceClaim> = {
  validate: ({ spec }) => validateSpec(spec, 'spec'),
  validateUpdate: sameSpec,
  subresources: { status: { validateUpdate: validateClaimStatus } },
};

export const templateRules: KindRules<ResourceClaimTemplate> = {
  validate: ({ spec }) => validateSpec(spec?.spec, 'spec.spec'),
  validateUpdate: sameSpec,
};

function validateClaimStatus(next: ResourceClaim, previous: ResourceClaim): FieldError[] {
  const [status, before] = [next.status ?? {}, previous.status ?? {}];
  return [
    ...validateStatusDriver(status),
    ...validateAllocation(status.allocation, 'status.allocation'),
    ...validateConsumers(status.reservedFor ?? []),
    ...validateReservation(next, before),
    ...(status.allocation === undefined || before.allocation === undefined
      ? []
      : validateImmutable(status.allocation, before.allocation, 'status.allocation')),
    ...validateDeallocation(status, before),
  ];
}

function validateStatusDriver({ driverName = '', allocation }: ResourceClaimStatus): FieldError[] {
  if (driverName !== '') return validateDriverName(driverName, 'status.driverName');
  if (allocation === undefined) return [];
  return [fieldError.required('status.driverName', 'must be specified when `allocation` is set')];
}

function validateAllocation(allocation: AllocationResult | undefined, field: string): FieldError[] {
  const { resourceHandles = [], availableOnNodes } = allocation ?? {};
  return [
    ...validateItems(resourceHandles, `${field}.resourceHandles`, validateHandle),
    ...validateLength(resourceHandles.length, MAX_HANDLES, `${field}.resourceHandles`),
    ...(availableOnNodes === undefined ? [] : validateNodeSelector(availableOnNodes, `${field}.availableOnNodes`)),
  ];
}

function validateHandle({ driverName = '', data = '', structuredData }: ResourceHandle, field: string): FieldError[] {
  const { nodeName = '', results } = structuredData ?? {};
  const place = `${field}.structuredData`;
  return [
    ...validateDriverName(driverName, `${field}.driverName`),
    ...validateLength(byteLength(data), DATA_BYTES, `${field}.data`),
    ...(nodeName === '' ? [] : validateSubdomain(nodeName, `${place}.nodeName`)),
    ...validateItems(results ?? [], `${place}.results`, ({ namedResources }, here) =>
      validateModel(namedResources, here, ({ name = '' }, at) => validateSubdomain(name, `${at}.name`)),
    ),
    ...(data === '' || structuredData === undefined
      ? []
      : [fieldError.invalid(field, null, 'data and structuredData are mutually exclusive')]),
  ];
}

/** The only model that there was: named resources. */
function validateModel<Model>(
  model: Model | undefined,
  field: string,
  validate: (model: Model, field: string) => FieldError[],
): FieldError[] {
  if (model !== undefined) return validate(model, field === NOWHERE ? 'namedResources' : `${field}.namedResources`);
  return [fieldError.required(field, NO_MODEL)];
}

/** Each consumer once; one whose UID is repeated is not looked at. */
function validateConsumers(consumers: readonly ResourceClaimConsumerReference[]): FieldError[] {
  const found = remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(consumers, 'status.reservedFor', (consumer, field) => {
        const { uid = '' } = consumer;
        if (seen.has(uid)) return [fieldError.duplicate(`${field}.uid`, uid)];
        seen.add(uid);
        return (['resource', 'name', 'uid'] as const)
          .filter((member) => (consumer[member] ?? '') === '')
          .map((member) => fieldError.required(`${field}.${member}`));
      }),
  );
  return [...found, ...validateLength(consumers.length, MAX_CONSUMERS, 'status.reservedFor')];
}

function validateReservation({ metadata, status }: ResourceClaim, before: ResourceClaimStatus): FieldError[] {
  const { reservedFor = [], allocation, deallocationRequested = false } = status ?? {};
  const field = 'status.reservedFor';
  if (reservedFor.length === 0) return [];
  if (allocation === undefined) {
    return [fieldError.forbidden(field, 'may not be specified when `allocated` is not set')];
  }
  const found: FieldError[] = [];
  if (allocation.shareable !== true && reservedFor.length > 1) {
    found.push(fieldError.forbidden(field, 'may not be reserved more than once'));
  }
  const isGoing = metadata.deletionTimestamp !== undefined || deallocationRequested;
  const isKnown = (one: ResourceClaimConsumerReference) => before.reservedFor?.some((each) => equalJson(one, each));
  if (isGoing && !reservedFor.every(isKnown)) {
    const detail = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
    found.push(fieldError.forbidden(field, detail));
  }
  return found;
}

/** Once requested, a deallocation ends with the allocation. */
function validateDeallocation(status: ResourceClaimStatus, before: ResourceClaimStatus): FieldError[] {
  const { reservedFor = [], allocation, deallocationRequested: isAsked = false } = status;
  const wasAsked = before.deallocationRequested ?? false;
  const field = 'status.deallocationRequested';
  const found: FieldError[] = [];
  if (!wasAsked && isAsked && reservedFor.length > 0) {
    found.push(fieldError.forbidden(field, 'deallocation cannot be requested while `reservedFor` is set'));
  }
  if (allocation === undefined && isAsked) {
    found.push(fieldError.forbidden('status', '`allocation` must be set when `deallocationRequested` is set'));
  }
  if (wasAsked && !isAsked && allocation !== undefined) {
    found.push(fieldError.forbidden(field, 'may not be cleared when `allocation` is set'));
  }
  return found;
}

export const classRules: KindRules<ResourceClass> = {
  validate: ({ driverName = '', parametersRef, suitableNodes }) => [
    ...validateDriverName(driverName, 'driverName'),
    ...validateReference(parametersRef, 'parametersRef'),
    ...(suitableNodes === undefined ? [] : validateNodeSelector(suitableNodes, 'suitableNodes')),
  ],
};

export const sliceRules: KindRules<ResourceSlice> = {
  validate: ({ nodeName = '', driverName = '', namedResources }) => [
    ...(nodeName === '' ? [] : validateSubdomain(nodeName, 'nodeName')),
    ...validateDriverName(driverName, 'driverName'),
    ...validateModel(namedResources, NOWHERE, ({ instances }, field) =>
      validateNamed(instances ?? [], `${field}.instances`, validateAttributes),
    ),
  ],
  validateUpdate: (next, previous) => [
    ...validateImmutable(next.nodeName ?? '', previous.nodeName ?? '', 'nodeName'),
    ...validateImmutable(next.driverName ?? '', previous.driverName ?? '', 'driverName'),
  ],
};

/** Items whose names are subdomains and differ. */
function validateNamed<T extends { readonly name?: string }>(
  items: readonly T[],
  field: string,
  validate: (item: T, field: string) => FieldError[],
): FieldError[] {
  return validateDistinct(items, field, {
    member: 'name',
    nameOf: ({ name = '' }) => name,
    validate: (item, here) => validate(item, here),
    validateName: validateSubdomain,
  });
}

/** Items with a member by which they differ: its errors first, then that it is repeated, then the others. */
function validateDistinct<T>(
  items: readonly T[],
  field: string,
  rules: {
    readonly member: string;
    readonly nameOf: (item: T) => string;
    readonly validateName: (name: string, field: string) => FieldError[];
    readonly validate: (item: T, field: string) => FieldError[];
  },
): FieldError[] {
  const { member, nameOf, validateName, validate } = rules;
  return remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(items, field, (item, here) => {
        const name = nameOf(item);
        const place = `${here}.${member}`;
        const repeated = seen.has(name) ? [fieldError.duplicate(place, name)] : [];
        seen.add(name);
        return [...validateName(name, place), ...repeated, ...validate(item, here)];
      }),
  );
}

function validateAttributes({ attributes = [] }: NamedResourcesInstance, field: string): FieldError[] {
  return validateNamed(attributes, `${field}.attributes`, validateAttribute);
}

function validateAttribute(attribute: NamedResourcesAttribute, field: string): FieldError[] {
  const given = VALUES.filter((each) => attribute[each] !== undefined);
  const { version } = attribute;
  const found: FieldError[] = [];
  if (version !== undefined && !VERSION.test(version)) {
    const detail = 'must be a string compatible with semver.org spec 2.0.0';
    found.push(fieldError.invalid(`${field}.version`, version, detail));
  }
  if (given.length === 0) found.push(fieldError.required(field, 'exactly one value must be set'));
  if (given.length > 1) {
    found.push(fieldError.invalid(field, given, 'exactly one field must be set, not several'));
  }
  return found;
}

type SelectorCheck = (model: { readonly selector?: string }, field: string) => FieldError[];

/** @param unchanged whether the expressions are stored already: then they may use all functions */
function selectorCheck(previous: ReadonlyJson | undefined, context: StrategyContext): SelectorCheck {
  const environments = attributeEnvironments(environmentsAfter(previous, /^selector$/, context));
  return ({ selector = '' }, holder) => {
    const field = `${holder}.selector`;
    if (selector === '') return [fieldError.required(field)];
    const compiled = compileInParts(environments.for(selector), selector);
    if (compiled.fault !== undefined) return [fieldError.invalid(field, selector, compiled.fault)];
    if (compiled.checked.type.kind !== BOOL.kind) return [fieldError.invalid(field, selector, 'must evaluate to bool')];
    return [];
  };
}

const driverOf = ({ driverName = '' }: { readonly driverName?: string }): string => driverName;
const byDriver = { member: 'driverName', nameOf: driverOf, validateName: validateDriverName } as const;

export const claimParametersRules: KindRules<ResourceClaimParameters> = {
  validate: ({ generatedFrom, driverRequests = [] }, context, previous) => {
    const check = selectorCheck(previous?.driverRequests as ReadonlyJson | undefined, context);
    return [
      ...validateReference(generatedFrom, 'generatedFrom'),
      ...validateDistinct(driverRequests, 'driverRequests', {
        ...byDriver,
        validate: ({ requests = [] }, field) => [
          ...validateItems(requests, `${field}.requests`, ({ namedResources }, here) =>
            validateModel(namedResources, here, check),
          ),
          ...(requests.length > 0
            ? []
            : [fieldError.required(`${field}.requests`, 'empty entries with no requests are not allowed')]),
        ],
      }),
    ];
  },
};

export const classParametersRules: KindRules<ResourceClassParameters> = {
  validate: ({ generatedFrom, filters = [], vendorParameters = [] }, context, previous) => {
    const check = selectorCheck(previous?.filters as ReadonlyJson | undefined, context);
    return [
      ...validateReference(generatedFrom, 'generatedFrom'),
      ...validateDistinct(filters, 'filters', {
        ...byDriver,
        validate: ({ namedResources }, field) => validateModel(namedResources, field, check),
      }),
      ...validateDistinct(vendorParameters, 'vendorParameters', { ...byDriver, validate: () => [] }),
    ];
  },
};

export const contextRules: KindRules<PodSchedulingContext> = {
  validate: ({ spec }) => validateNodes(spec?.potentialNodes ?? [], 'spec.potentialNodes'),
  subresources: {
    status: {
      validateUpdate: ({ status }) =>
        remembering(
          () => new Set<string>(),
          (seen) =>
            validateItems(
              status?.resourceClaims ?? [],
              'status.claims',
              ({ name = '', unsuitableNodes = [] }, field) => {
                const repeated = seen.has(name) ? [fieldError.duplicate(field, name)] : [];
                seen.add(name);
                return [...validateNodes(unsuitableNodes, `${field}.unsuitableNodes`), ...repeated];
              },
            ),
        ),
    },
  },
};

/** Names of nodes, each once. */
function validateNodes(names: readonly string[], field: string): FieldError[] {
  const found = remembering(
    () => new Set<string>(),
    (seen) =>
      validateItems(names, field, (name, here) => {
        if (seen.has(name)) return [fieldError.duplicate(here, name)];
        seen.add(name);
        return validateSubdomain(name, here);
      }),
  );
  return [...found, ...validateLength(names.length, MAX_NODES, field)];
}
