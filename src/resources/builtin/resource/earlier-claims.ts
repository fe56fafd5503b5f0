// Dynamic resource allocation of resource.k8s.io/v1alpha2, up to 1.30, and the negotiation of nodes by
// PodSchedulingContexts, up to 1.31: rules and table columns of kinds that have no successor, and of claims, templates
// and slices, whose successors have another form.

import type { Draft } from '../../../api/object.ts';
import type { KindRules, TableColumns } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import { lateRules } from '../../late-rules.ts';
import { age, table } from '../../table.ts';
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

function specDefaults(spec: Draft<ResourceClaimSpec> | undefined): void {
  if (spec !== undefined) fillIn(spec, { allocationMode: 'WaitForFirstConsumer' });
}

type Validation = typeof import('./earlier-validation.ts');

/** Validation is loaded with the first write: it includes the CEL compiler. */
const late = <T>(rules: (validation: Validation) => KindRules<T>, ...subresources: readonly string[]) =>
  lateRules<T>(async () => rules(await import('./earlier-validation.ts')), ...subresources);

const UPDATE_CHECKS = { update: ['metadata', 'change', 'content'] } as const;

export const earlierClaimRules: KindRules<ResourceClaim> = {
  ...late<ResourceClaim>(({ claimRules }) => claimRules, 'status'),
  checks: UPDATE_CHECKS,
  defaults: ({ spec }) => specDefaults(spec),
  deletion: { returnsObject: true },
};

export const earlierTemplateRules: KindRules<ResourceClaimTemplate> = {
  ...late<ResourceClaimTemplate>(({ templateRules }) => templateRules),
  checks: UPDATE_CHECKS,
  defaults: ({ spec }) => specDefaults(spec?.spec),
  deletion: { returnsObject: true },
};

export const resourceClassRules: KindRules<ResourceClass> = {
  ...late<ResourceClass>(({ classRules }) => classRules),
  generation: true,
  deletion: { returnsObject: true },
};

export const earlierSliceRules: KindRules<ResourceSlice> = {
  ...late<ResourceSlice>(({ sliceRules }) => sliceRules),
  selection: {
    names: ['nodeName', 'driverName'],
    values: ({ nodeName = '', driverName = '' }) => ({ nodeName, driverName }),
    refusal: 'notSupportedByKind',
  },
  deletion: { returnsObject: true },
};

export const claimParametersRules: KindRules<ResourceClaimParameters> = {
  ...late<ResourceClaimParameters>((validation) => validation.claimParametersRules),
  deletion: { returnsObject: true },
};

export const classParametersRules: KindRules<ResourceClassParameters> = {
  ...late<ResourceClassParameters>((validation) => validation.classParametersRules),
  deletion: { returnsObject: true },
};

export const schedulingContextRules: KindRules<PodSchedulingContext> = {
  ...late<PodSchedulingContext>(({ contextRules }) => contextRules, 'status'),
  deletion: { returnsObject: true },
};

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
