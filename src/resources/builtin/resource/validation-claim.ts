// Validation of ResourceClaims, ResourceClaimTemplates and DeviceClasses.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { equalJson } from '../../../api/json-equal.ts';
import { IMMUTABLE } from '../../../api/metadata-validation.ts';
import { labelFaults, subdomainFaults } from '../../../api/names.ts';
import { isSince } from '../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import { faultErrors, validateChoice, validateItems, validateMostItems } from '../../validation/field-rules.ts';
import { isExtendedResource } from '../../validation/quantities.ts';
import { validateTemplateMetadata } from '../../validation/template-metadata.ts';
import { type WholeType, wholeObject } from '../../validation/whole-objects.ts';
import { validateAdminRequests, validateAdminResults } from './admin-access.ts';
import {
  MAX_REQUESTS,
  requestNames,
  sameParameters,
  validateConfiguration,
  validateReferences,
  validateUniqueItems,
} from './claim-parts.ts';
import { validateDomainAttribute } from './names.ts';
import { type SelectorCheck, selectorCheck } from './selector-expressions.ts';
import { ResourceClaimSpec as ClaimSpecType, ResourceClaimTemplateSpec as TemplateSpecType } from './v1beta2.ts';
import type {
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimSpec,
  ResourceClaimTemplate,
} from './v1beta2-objects.ts';
import { validateClaimStatus } from './validation-claim-status.ts';
import { validateToleration } from './validation-toleration.ts';

const MAX_ALTERNATIVES = 8;
const MAX_SELECTORS = 32;
const MAX_CONFIGURATIONS = 32;
const ONE_ATTRIBUTE = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
const ONE_FORM = 'exactly one of `exactly` or `firstAvailable` is required';

interface ClaimRules {
  readonly minor: number | undefined;
  readonly check: SelectorCheck;
  /** Whether devices may be shared by capacity, which adds a second form of constraints. */
  readonly sharesCapacity: boolean;
}

function claimRules(previous: ResourceClaim | ResourceClaimTemplate | undefined, context: StrategyContext): ClaimRules {
  return {
    minor: context.minor,
    check: selectorCheck(previous, context),
    sharesCapacity: context.gateEnabled('DRAConsumableCapacity'),
  };
}

/** The spec of a claim or claim template. */
function validateClaimSpec(
  spec: ResourceClaimSpec | undefined,
  field: string,
  { check, sharesCapacity, minor }: ClaimRules,
): FieldError[] {
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
      validate: (request, path) => validateRequest(request, path, { check, minor }),
    }),
    ...validateItems(constraints, `${here}.constraints`, (constraint, path) =>
      validateConstraint(constraint, path, { names, sharesCapacity, minor }),
    ),
    ...validateMostItems(constraints, MAX_REQUESTS, `${here}.constraints`),
    ...validateItems(configurations, `${here}.config`, (configuration, path) => [
      ...validateReferences(configuration, path, names),
      ...validateConfiguration(configuration, path),
    ]),
    ...validateMostItems(configurations, MAX_CONFIGURATIONS, `${here}.config`),
  ];
}

/** The first minor release in which a request of both forms is not validated further. */
const FORMS_FIRST = 35;

function validateRequest(
  request: DeviceRequest,
  field: string,
  rules: Pick<ClaimRules, 'check' | 'minor'>,
): FieldError[] {
  const { minor } = rules;
  const name = request.name ?? '';
  const alternatives = request.firstAvailable ?? [];
  const exactly = request.exactly;
  const found = faultErrors(labelFaults(name), name, `${field}.name`);
  const isBoth = exactly !== undefined && alternatives.length > 0;
  const both = fieldError.invalid(field, null, `${ONE_FORM}, but multiple fields are set`);
  if (isBoth && isSince({ minor }, FORMS_FIRST)) return [...found, both];
  found.push(
    ...validateUniqueItems(alternatives, {
      field: `${field}.firstAvailable`,
      most: MAX_ALTERNATIVES,
      key: (each) => each.name ?? '',
      member: 'name',
      validate: (each, here) => {
        const own = each.name ?? '';
        return [...faultErrors(labelFaults(own), own, `${here}.name`), ...validateWanted(each, here, rules)];
      },
    }),
  );
  if (exactly !== undefined) found.push(...validateWanted(exactly, `${field}.exactly`, rules));
  if (exactly === undefined && alternatives.length === 0) found.push(fieldError.required(field, ONE_FORM));
  return isBoth ? [...found, both] : found;
}

/** The requested devices and their number. */
function validateWanted(
  wanted: ExactDeviceRequest | DeviceSubRequest,
  field: string,
  { check, minor }: Pick<ClaimRules, 'check' | 'minor'>,
): FieldError[] {
  const deviceClass = wanted.deviceClassName ?? '';
  const here = `${field}.deviceClassName`;
  return [
    ...(deviceClass === ''
      ? [fieldError.required(here)]
      : faultErrors(subdomainFaults(deviceClass), deviceClass, here)),
    ...validateSelectors(wanted.selectors ?? [], `${field}.selectors`, check),
    ...validateCount(wanted, field),
    ...validateItems(wanted.tolerations ?? [], `${field}.tolerations`, (each, place) =>
      validateToleration(each, place, { minor }),
    ),
  ];
}

export function validateSelectors(
  selectors: readonly DeviceSelector[],
  field: string,
  check: SelectorCheck,
): FieldError[] {
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

function validateConstraint(
  constraint: DeviceConstraint,
  field: string,
  { names, sharesCapacity, minor }: Pick<ClaimRules, 'sharesCapacity' | 'minor'> & { names: ReadonlySet<string> },
): FieldError[] {
  const found = validateReferences(constraint, field, names);
  const [match, distinct] = [constraint.matchAttribute, constraint.distinctAttribute];
  if (match !== undefined) found.push(...validateDomainAttribute(match, `${field}.matchAttribute`, { minor }));
  else if (distinct !== undefined) {
    found.push(...validateDomainAttribute(distinct, `${field}.distinctAttribute`, { minor }));
  } else if (sharesCapacity) found.push(fieldError.required(field, ONE_ATTRIBUTE));
  else found.push(fieldError.required(`${field}.matchAttribute`));
  return found;
}

function validateClaim(claim: ResourceClaim, rules: ClaimRules): FieldError[] {
  return validateClaimSpec(claim.spec, 'spec', rules);
}

/** The first minor release in which an update of a claim is only compared: nothing in its spec may change. */
const ONLY_COMPARED = 35;

export const resourceClaimRules: KindRules<ResourceClaim> = {
  validate: (claim, context) => validateAdminRequests(claim, claim.spec, context),
  validateCreate: (claim, context) => validateClaim(claim, claimRules(undefined, context)),
  // Kubernetes validates the whole object before and after comparing it, for claims, templates and classes.
  validateUpdate: (next, previous, context) => {
    if (isSince(context, ONLY_COMPARED)) return validateSameSpec(next, previous, CLAIM);
    const found = validateClaim(next, claimRules(previous, context));
    return [...found, ...validateSameSpec(next, previous, CLAIM), ...found];
  },
  subresources: {
    status: {
      validateUpdate: (next, previous, context) => [
        ...validateAdminResults(next, previous, context),
        ...(context.refusedRights ?? []),
        ...validateClaimStatus(next, previous, context),
      ],
    },
  },
};

function validateTemplate(template: ResourceClaimTemplate, rules: ClaimRules): FieldError[] {
  const metadata = template.spec?.metadata;
  return [
    ...validateTemplateMetadata(metadata, 'spec.metadata'),
    ...validateClaimSpec(template.spec?.spec, 'spec.spec', rules),
  ];
}

export const resourceClaimTemplateRules: KindRules<ResourceClaimTemplate> = {
  validate: (template, context) => validateAdminRequests(template, template.spec?.spec, context),
  validateCreate: (template, context) => validateTemplate(template, claimRules(undefined, context)),
  validateUpdate: (next, previous, context) => {
    const found = validateTemplate(next, claimRules(previous, context));
    const again = isSince(context, ONLY_COMPARED) ? [] : found;
    return [...found, ...validateSameSpec(next, previous, TEMPLATE), ...again];
  },
};

type HasSpec = Pick<ResourceClaim | ResourceClaimTemplate, 'spec'>;

const CLAIM: WholeType = { type: ClaimSpecType };
const TEMPLATE: WholeType = { type: TemplateSpecType };

function validateSameSpec(next: HasSpec, previous: HasSpec, whole: WholeType): FieldError[] {
  const isSame =
    equalJson(next.spec, previous.spec) && sameParameters(configurationsOf(next), configurationsOf(previous));
  return isSame ? [] : [fieldError.invalid('spec', wholeObject(whole, next.spec), IMMUTABLE)];
}

/** Those of a claim or claim template. */
function configurationsOf({ spec }: HasSpec) {
  const ofClaim = spec !== undefined && 'spec' in spec ? spec.spec : (spec as ResourceClaimSpec | undefined);
  return ofClaim?.devices?.config;
}

function validateClass({ spec }: DeviceClass, check: SelectorCheck): FieldError[] {
  const configurations = spec?.config ?? [];
  return [
    ...validateSelectors(spec?.selectors ?? [], 'spec.selectors', check),
    ...validateItems(configurations, 'spec.config', validateConfiguration),
    ...validateMostItems(configurations, MAX_CONFIGURATIONS, 'spec.config'),
    ...validateExtendedName(spec?.extendedResourceName),
  ];
}

/** The extended resource name by which containers request devices of a class. */
function validateExtendedName(name: string | undefined): FieldError[] {
  if (name === undefined || isExtendedResource(name)) return [];
  return [fieldError.invalid('spec.extendedResourceName', name, 'must be a valid extended resource name')];
}

export const deviceClassRules: KindRules<DeviceClass> = {
  validateCreate: (deviceClass, context) => validateClass(deviceClass, selectorCheck(undefined, context)),
  validateUpdate: (next, previous, context) => validateClass(next, selectorCheck(previous, context)),
};
