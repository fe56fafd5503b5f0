// The rules of claims for devices, of their templates and of device classes.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { stringifyJson } from '../../../api/json-writer.ts';
import { byteLength, labelFaults, labelValueFaults, qualifiedNameFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import {
  faultErrors,
  IMMUTABLE,
  validateChoice,
  validateImmutable,
  validateItems,
  validateMostItems,
} from '../../validation/field-rules.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../value.ts';
import { validateDriverName } from '../core/volume/validation-source.ts';
import { validateAdminRequests, validateAdminResults } from './admin-access.ts';
import { validateDomainAttribute, validatePoolName } from './names.ts';
import { type SelectorCheck, selectorCheck } from './selector-expressions.ts';

const MOST_REQUESTS = 32;
const MOST_ALTERNATIVES = 8;
const MOST_SELECTORS = 32;
const MOST_CONFIGURATIONS = 32;
const MOST_CONSUMERS = 256;
const PARAMETERS_BYTES = 10 * 1024;
const NOT_A_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
const ONE_FORM = 'exactly one of `exactly` or `firstAvailable` is required';

/** A list of limited length in which no key comes twice. */
export function validateUniqueItems(
  items: readonly Json[],
  rules: {
    readonly field: string;
    readonly most: number;
    readonly key: (item: Json) => string;
    /** The member that holds the key; '' where items are their own keys. */
    readonly member: string;
    readonly validate: (item: Json, field: string) => FieldError[];
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
function requestNames(spec: Json | undefined): Set<string> {
  const names = new Set<string>();
  for (const request of listAt(spec, 'devices', 'requests')) {
    const name = textAt(request, 'name');
    names.add(name);
    for (const each of listAt(request, 'firstAvailable')) names.add(`${name}/${textAt(each, 'name')}`);
  }
  return names;
}

/** The spec of a claim, of its own or in a template. */
function validateClaimSpec(spec: Json | undefined, field: string, check: SelectorCheck): FieldError[] {
  const names = requestNames(spec);
  const here = `${field}.devices`;
  const constraints = listAt(spec, 'devices', 'constraints');
  const configurations = listAt(spec, 'devices', 'config');
  return [
    ...validateUniqueItems(listAt(spec, 'devices', 'requests'), {
      field: `${here}.requests`,
      most: MOST_REQUESTS,
      key: (request) => textAt(request, 'name'),
      member: 'name',
      validate: (request, path) => validateRequest(request, path, check),
    }),
    ...validateItems(constraints, `${here}.constraints`, (constraint, path) =>
      validateConstraint(constraint, path, names),
    ),
    ...validateMostItems(constraints, MOST_REQUESTS, `${here}.constraints`),
    ...validateItems(configurations, `${here}.config`, (configuration, path) => [
      ...validateReferences(configuration, path, names),
      ...validateConfiguration(configuration, path),
    ]),
    ...validateMostItems(configurations, MOST_CONFIGURATIONS, `${here}.config`),
  ];
}

function validateRequest(request: Json, field: string, check: SelectorCheck): FieldError[] {
  const name = textAt(request, 'name');
  const alternatives = listAt(request, 'firstAvailable');
  const exactly = at(request, 'exactly');
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  found.push(
    ...validateUniqueItems(alternatives, {
      field: `${field}.firstAvailable`,
      most: MOST_ALTERNATIVES,
      key: (each) => textAt(each, 'name'),
      member: 'name',
      validate: (each, here) => {
        const own = textAt(each, 'name');
        return [...faultErrors(labelFaults(own), own, `${here}.name`), ...validateWanted(each, here, check)];
      },
    }),
  );
  if (isObject(exactly)) found.push(...validateWanted(exactly, `${field}.exactly`, check));
  const forms = (isObject(exactly) ? 1 : 0) + (alternatives.length > 0 ? 1 : 0);
  if (forms === 0) found.push(fieldError.required(field, ONE_FORM));
  if (forms > 1) found.push(fieldError.invalid(field, null, `${ONE_FORM}, but multiple fields are set`));
  return found;
}

/** Which devices are wanted, and how many of them. */
function validateWanted(wanted: Json, field: string, check: SelectorCheck): FieldError[] {
  const deviceClass = textAt(wanted, 'deviceClassName');
  const here = `${field}.deviceClassName`;
  return [
    ...(deviceClass === ''
      ? [fieldError.required(here)]
      : faultErrors(subdomainFaults(deviceClass), deviceClass, here)),
    ...validateSelectors(listAt(wanted, 'selectors'), `${field}.selectors`, check),
    ...validateCount(wanted, field),
    ...validateItems(listAt(wanted, 'tolerations'), `${field}.tolerations`, validateToleration),
  ];
}

function validateSelectors(selectors: readonly Json[], field: string, check: SelectorCheck): FieldError[] {
  return [
    ...validateItems(selectors, field, (selector, here) => {
      if (!isObject(at(selector, 'cel'))) return [fieldError.required(`${here}.cel`)];
      return check(textAt(selector, 'cel', 'expression'), `${here}.cel.expression`);
    }),
    ...validateMostItems(selectors, MOST_SELECTORS, field),
  ];
}

function validateCount(wanted: Json, field: string): FieldError[] {
  const mode = textAt(wanted, 'allocationMode');
  const count = numberAt(wanted, 'count');
  const here = `${field}.count`;
  if (mode === 'All') {
    const why = "must not be specified when allocationMode is 'All'";
    return count === 0 ? [] : [fieldError.invalid(here, count, why)];
  }
  if (mode !== 'ExactCount') return validateChoice(mode, ['All', 'ExactCount'], `${field}.allocationMode`);
  return count > 0 ? [] : [fieldError.invalid(here, count, 'must be greater than zero')];
}

function validateToleration(toleration: Json, field: string): FieldError[] {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((each) =>
    textAt(toleration, each),
  ) as [string, string, string, string];
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

function validateReferences(holder: Json, field: string, names: ReadonlySet<string>): FieldError[] {
  return validateUniqueItems(listAt(holder, 'requests'), {
    field: `${field}.requests`,
    most: MOST_REQUESTS,
    key: String,
    member: '',
    validate: (name, here) => validateReference(String(name), here, names),
  });
}

function validateReference(name: string, field: string, names: ReadonlySet<string>): FieldError[] {
  const segments = name.split('/');
  if (segments.length > 2) return [fieldError.invalid(field, name, NOT_A_REQUEST)];
  const found = segments.flatMap((segment) => faultErrors(labelFaults(segment), segment, field));
  return names.has(name) ? found : [...found, fieldError.invalid(field, name, NOT_A_REQUEST)];
}

function validateConstraint(constraint: Json, field: string, names: ReadonlySet<string>): FieldError[] {
  const found = validateReferences(constraint, field, names);
  const [match, distinct] = [at(constraint, 'matchAttribute'), at(constraint, 'distinctAttribute')];
  if (typeof match === 'string') found.push(...validateDomainAttribute(match, `${field}.matchAttribute`));
  else if (typeof distinct === 'string') {
    found.push(...validateDomainAttribute(distinct, `${field}.distinctAttribute`));
  } else found.push(fieldError.required(`${field}.matchAttribute`));
  return found;
}

function validateConfiguration(configuration: Json, field: string): FieldError[] {
  const opaque = at(configuration, 'opaque');
  const here = `${field}.opaque`;
  if (!isObject(opaque)) return [fieldError.required(here)];
  return [
    ...validateDriverName(textAt(opaque, 'driver'), `${here}.driver`),
    ...validateRaw(at(opaque, 'parameters'), `${here}.parameters`),
  ];
}

/** An object of whoever's own; messages don't quote it. */
function validateRaw(value: Json | undefined, field: string): FieldError[] {
  if ((value ?? null) === null) return [fieldError.required(field)];
  if (!isObject(value)) return [fieldError.invalid(field, '<value omitted>', 'must be a valid JSON object')];
  return byteLength(stringifyJson(value)) > PARAMETERS_BYTES ? [fieldError.tooLong(field, PARAMETERS_BYTES)] : [];
}

function validateClaimStatus(next: ApiObject, previous: ApiObject): FieldError[] {
  const allocation = at(next, 'status', 'allocation');
  const before = at(previous, 'status', 'allocation');
  const consumers = listAt(next, 'status', 'reservedFor');
  const field = 'status.reservedFor';
  const found = validateUniqueItems(consumers, {
    field,
    most: MOST_CONSUMERS,
    key: (consumer) => textAt(consumer, 'uid'),
    member: 'uid',
    validate: (consumer, here) =>
      ['resource', 'name', 'uid']
        .filter((member) => textAt(consumer, member) === '')
        .map((member) => fieldError.required(`${here}.${member}`)),
  });
  found.push(...validateAllocatedDevices(next));
  if (consumers.length > 0 && !isObject(allocation)) {
    found.push(fieldError.forbidden(field, 'may not be specified when `allocated` is not set'));
  }
  if (isObject(allocation) && isObject(before)) {
    return [...found, ...validateImmutable(allocation, before, 'status.allocation')];
  }
  return isObject(allocation) ? [...found, ...validateAllocation(allocation, next)] : found;
}

function validateAllocation(allocation: Json, claim: ApiObject): FieldError[] {
  const names = requestNames(at(claim, 'spec'));
  return validateItems(
    listAt(allocation, 'devices', 'results'),
    'status.allocation.devices.results',
    (result, field) => {
      const device = textAt(result, 'device');
      return [
        ...validateReference(textAt(result, 'request'), `${field}.request`, names),
        ...validateDriverName(textAt(result, 'driver'), `${field}.driver`),
        ...validatePoolName(textAt(result, 'pool'), `${field}.pool`),
        ...faultErrors(labelFaults(device), device, `${field}.device`),
      ];
    },
  );
}

/** What is reported of devices must be of devices that the claim was given. */
function validateAllocatedDevices(claim: ApiObject): FieldError[] {
  const identify = (device: Json) =>
    ['driver', 'pool', 'device', 'shareID'].map((member) => textAt(device, member)).join('/');
  const given = new Set(listAt(claim, 'status', 'allocation', 'devices', 'results').map(identify));
  return validateItems(listAt(claim, 'status', 'devices'), 'status.devices', (device, field) => {
    if (given.has(identify(device))) return [];
    const name = ['driver', 'pool', 'device'].map((member) => textAt(device, member)).join('/');
    return [fieldError.invalid(field, name, 'must be an allocated device in the claim')];
  });
}

function validateClaim(claim: ApiObject, check: SelectorCheck): FieldError[] {
  return validateClaimSpec(at(claim, 'spec'), 'spec', check);
}

export const resourceClaimRules: Partial<Behaviour> = {
  validateCreate: (claim, context) => [
    ...validateAdminRequests(claim, claim['spec'], context),
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

function validateTemplate(template: ApiObject, check: SelectorCheck): FieldError[] {
  const metadata = at(template, 'spec', 'metadata');
  return [
    ...validateTemplateMetadata(metadata, 'spec.metadata'),
    ...validateClaimSpec(at(template, 'spec', 'spec'), 'spec.spec', check),
  ];
}

export const resourceClaimTemplateRules: Partial<Behaviour> = {
  validateCreate: (template, context) => [
    ...validateAdminRequests(template, at(template, 'spec', 'spec'), context),
    ...validateTemplate(template, selectorCheck(undefined, context)),
  ],
  validateUpdate: (next, previous, context) => {
    const found = validateTemplate(next, selectorCheck(previous, context));
    return [...found, ...validateSameSpec(next, previous), ...found];
  },
};

function validateSameSpec(next: ApiObject, previous: ApiObject): FieldError[] {
  return equalJson(next['spec'], previous['spec']) ? [] : [fieldError.invalid('spec', next['spec'], IMMUTABLE)];
}

function validateClass({ spec }: ApiObject, check: SelectorCheck): FieldError[] {
  const configurations = listAt(spec, 'config');
  return [
    ...validateSelectors(listAt(spec, 'selectors'), 'spec.selectors', check),
    ...validateItems(configurations, 'spec.config', validateConfiguration),
    ...validateMostItems(configurations, MOST_CONFIGURATIONS, 'spec.config'),
  ];
}

export const deviceClassRules: Partial<Behaviour> = {
  validateCreate: (deviceClass, context) => validateClass(deviceClass, selectorCheck(undefined, context)),
  validateUpdate: (next, previous, context) => validateClass(next, selectorCheck(previous, context)),
};
