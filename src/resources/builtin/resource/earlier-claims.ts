// Dynamic resource allocation of resource.k8s.io/v1alpha2, up to 1.30, and the negotiation of nodes by
// PodSchedulingContexts, up to 1.31: rules and table columns of kinds that have no successor, and of claims, templates
// and slices, whose successors have another form.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { subdomainFaults } from '../../../api/names.ts';
import type { Draft, ReadonlyJson } from '../../../api/object.ts';
import type { KindRules, TableColumns } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import { age, table } from '../../table.ts';
import { faultErrors, validateChoice, validateImmutable } from '../../validation/field-rules.ts';
import { claimState } from './tables.ts';
import type {
  PodSchedulingContext,
  ResourceClaim,
  ResourceClaimParameters,
  ResourceClaimSpec,
  ResourceClaimTemplate,
  ResourceClass,
  ResourceClassParameters,
  ResourceSlice,
} from './v1alpha2-objects.ts';

const MODES = ['Immediate', 'WaitForFirstConsumer'] as const;
const MAX_DRIVER_NAME = 63;

interface Reference {
  readonly kind?: string;
  readonly name?: string;
}

function validateReference(reference: Reference | undefined, field: string): FieldError[] {
  if (reference === undefined) return [];
  return (['kind', 'name'] as const).flatMap((name) =>
    (reference[name] ?? '') === '' ? [fieldError.required(`${field}.${name}`)] : [],
  );
}

function validateDriver(name: string, field: string): FieldError[] {
  if (name === '') return [fieldError.required(field)];
  if (name.length > MAX_DRIVER_NAME) return [fieldError.tooLong(field, MAX_DRIVER_NAME)];
  return faultErrors(subdomainFaults(name), name, field);
}

function validateSpec(spec: ResourceClaimSpec | undefined, field: string): FieldError[] {
  const { resourceClassName = '', allocationMode = '', parametersRef } = spec ?? {};
  return [
    ...faultErrors(subdomainFaults(resourceClassName), resourceClassName, `${field}.resourceClassName`),
    ...validateReference(parametersRef, `${field}.parametersRef`),
    ...validateChoice(allocationMode, MODES, `${field}.allocationMode`),
  ];
}

function specDefaults(spec: Draft<ResourceClaimSpec> | undefined): void {
  if (spec !== undefined) fillIn(spec, { allocationMode: 'WaitForFirstConsumer' });
}

const sameSpec = (next: { spec?: unknown }, previous: { spec?: unknown }): FieldError[] =>
  validateImmutable(next.spec as ReadonlyJson, previous.spec as ReadonlyJson, 'spec');

export const earlierClaimRules: KindRules<ResourceClaim> = {
  checks: { update: ['metadata', 'change', 'content'] },
  defaults: ({ spec }) => specDefaults(spec),
  validate: ({ spec }) => validateSpec(spec, 'spec'),
  validateUpdate: sameSpec,
  deletion: { returnsObject: true },
};

export const earlierTemplateRules: KindRules<ResourceClaimTemplate> = {
  checks: { update: ['metadata', 'change', 'content'] },
  defaults: ({ spec }) => specDefaults(spec?.spec),
  validate: ({ spec }) => validateSpec(spec?.spec, 'spec.spec'),
  validateUpdate: sameSpec,
  deletion: { returnsObject: true },
};

export const resourceClassRules: KindRules<ResourceClass> = {
  validate: ({ driverName = '', parametersRef }) => [
    ...validateDriver(driverName, 'driverName'),
    ...validateReference(parametersRef, 'parametersRef'),
  ],
  generation: true,
  deletion: { returnsObject: true },
};

export const earlierSliceRules: KindRules<ResourceSlice> = {
  validate: ({ nodeName = '', driverName = '' }) => [
    ...(nodeName === '' ? [] : faultErrors(subdomainFaults(nodeName), nodeName, 'nodeName')),
    ...validateDriver(driverName, 'driverName'),
  ],
  validateUpdate: (next, previous) => [
    ...validateImmutable(next.nodeName ?? '', previous.nodeName ?? '', 'nodeName'),
    ...validateImmutable(next.driverName ?? '', previous.driverName ?? '', 'driverName'),
  ],
  selection: {
    names: ['nodeName', 'driverName'],
    values: ({ nodeName = '', driverName = '' }) => ({ nodeName, driverName }),
    refusal: 'notSupportedByKind',
  },
  deletion: { returnsObject: true },
};

/** Parameters are validated by the drivers that read them. */
export const parametersRules: KindRules<ResourceClaimParameters & ResourceClassParameters> = {
  deletion: { returnsObject: true },
};

export const schedulingContextRules: KindRules<PodSchedulingContext> = { deletion: { returnsObject: true } };

export const earlierClaimTable: TableColumns<ResourceClaim> = table(
  ['ResourceClassName', 'AllocationMode', 'State', 'Age'],
  (claim) => [claim.spec?.resourceClassName ?? '', claim.spec?.allocationMode ?? '', claimState(claim), age(claim)],
);

export const earlierTemplateTable: TableColumns<ResourceClaimTemplate> = table(
  ['ResourceClassName', 'AllocationMode', 'Age'],
  (template) => {
    const { resourceClassName = '', allocationMode = '' } = template.spec?.spec ?? {};
    return [resourceClassName, allocationMode, age(template)];
  },
);

export const resourceClassTable: TableColumns<ResourceClass> = table(['DriverName', 'Age'], (type) => [
  type.driverName ?? '',
  age(type),
]);

export const earlierSliceTable: TableColumns<ResourceSlice> = table(['Node', 'Driver', 'Age'], (slice) => [
  slice.nodeName ?? '',
  slice.driverName ?? '',
  age(slice),
]);

export const parametersTable: TableColumns<ResourceClaimParameters & ResourceClassParameters> = table(
  ['GeneratedFrom', 'Age'],
  (parameters) => {
    const { apiGroup = '', kind = '', name = '' } = parameters.generatedFrom ?? {};
    const type = apiGroup === '' ? kind : `${kind}.${apiGroup}`;
    return [kind === '' ? '' : `${type}/${name}`, age(parameters)];
  },
);

export const schedulingContextTable: TableColumns<PodSchedulingContext> = table(['SelectedNode', 'Age'], (context) => [
  context.spec?.selectedNode ?? '',
  age(context),
]);
