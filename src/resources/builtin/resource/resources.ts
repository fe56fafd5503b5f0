// Resources of dynamic resource allocation.

import { isSince } from '../../../lifecycle/version.ts';
import { combined } from '../../combined-rules.ts';
import {
  resourceClaimTemplateV1beta1,
  resourceClaimV1beta1,
  resourceSliceV1beta1,
} from '../../conversion/device-claims.ts';
import { RESET_METADATA, type ResourceDefinition, STATUS_APART, type Strategy } from '../../definition.ts';
import { lateRules } from '../../late-rules.ts';
import { group, own, ownWithoutTables } from '../../resource.ts';
import { namedTable } from '../../table.ts';
import { uncheckedPrefix } from '../../unchecked-prefixes.ts';
import { dropDeallocatedDevices } from './claim-devices.ts';
import {
  deviceTaintRuleDefaults,
  renewTaintTime,
  resourceClaimDefaults,
  resourceClaimTemplateDefaults,
  resourceSliceDefaults,
} from './defaults.ts';
import {
  claimParametersRules,
  classParametersRules,
  earlierClaimRules,
  earlierClaimTable,
  earlierSliceRules,
  earlierSliceTable,
  earlierTemplateRules,
  earlierTemplateTable,
  parametersTable,
  resourceClassRules,
  resourceClassTable,
  schedulingContextRules,
  schedulingContextTable,
} from './earlier-claims.ts';
import { poolStatusRules, poolStatusTable } from './pool-status.ts';
import { deviceTaintRuleTable, resourceClaimTable, resourceSliceTable } from './tables.ts';
import type {
  PodSchedulingContext,
  ResourceClaimParameters,
  ResourceClass,
  ResourceClassParameters,
} from './v1alpha2-objects.ts';
import type { DeviceTaintRule, ResourcePoolStatusRequest } from './v1alpha3-objects.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './v1beta2-objects.ts';

const resource = group('resource.k8s.io', 'v1', 'v1beta2', 'v1beta1', 'v1alpha3', 'v1alpha2');

/** The version that is stored, and those that Kubernetes stored up to 1.33, of which discovery has the hashes. */
const STORAGE = { 0: 'v1alpha2', 31: 'v1beta2', 35: 'v1' } as const;
const HASHED = { 0: 'v1alpha2', 31: 'v1alpha3', 32: 'v1beta1', 34: 'v1beta2', 35: 'v1' } as const;
/** The first minor release of Kubernetes 1 in which claims are for devices of classes. */
const DEVICES_SINCE = 31;

/** What held before, in releases before that. The storage version, and so the type of objects, is another one there. */
function earlier<Now>(minor: number, rules: unknown): Now | undefined {
  return isSince({ minor }, DEVICES_SINCE) ? undefined : (rules as Now);
}

const CHECKS_OF_CLAIMS: Strategy['checks'] = {
  create: ['content', 'metadata', 'creation'],
  update: ['metadata', 'metadataChange', 'change'],
};

export const resourceResources: readonly ResourceDefinition[] = [
  resource<DeviceClass>({
    resource: 'deviceclasses',
    kind: 'DeviceClass',
    cluster: true,
    hashedVersion: HASHED,
    storage: STORAGE,
    strategy: (minor) => ({
      ...lateRules(async () => (await import('./validation-claim.ts')).deviceClassRules),
      ...uncheckedPrefix(minor),
      checks: {
        update: ['metadata', 'change', 'metadataChange', 'change'],
        later: { since: 35, update: ['metadata', 'metadataChange', 'change'] },
      },
      generation: true,
      deletion: { returnsObject: true },
    }),
    table: namedTable,
  }),
  resource<ResourceClaim>({
    resource: 'resourceclaims',
    kind: 'ResourceClaim',
    hashedVersion: HASHED,
    storage: STORAGE,
    conversions: { v1beta1: resourceClaimV1beta1, v1alpha3: resourceClaimV1beta1 },
    subresources: { status: ownWithoutTables },
    strategy: (minor) =>
      earlier(minor, earlierClaimRules) ??
      combined(
        lateRules(async () => (await import('./validation-claim.ts')).resourceClaimRules, 'status'),
        {
          checks: CHECKS_OF_CLAIMS,
          defaults: resourceClaimDefaults,
          deletion: { returnsObject: true },
          subresources: {
            status: {
              prepareForUpdate: dropDeallocatedDevices,
              keeps: RESET_METADATA,
              resets: isSince({ minor }, 35) ? ['metadata', 'spec'] : ['spec'],
            },
          },
        },
      ),
    table: (minor) => earlier(minor, earlierClaimTable) ?? resourceClaimTable,
  }),
  resource<ResourceClaimTemplate>({
    resource: 'resourceclaimtemplates',
    kind: 'ResourceClaimTemplate',
    hashedVersion: HASHED,
    storage: STORAGE,
    conversions: { v1beta1: resourceClaimTemplateV1beta1, v1alpha3: resourceClaimTemplateV1beta1 },
    strategy: (minor) =>
      earlier(minor, earlierTemplateRules) ?? {
        ...lateRules(async () => (await import('./validation-claim.ts')).resourceClaimTemplateRules),
        checks: CHECKS_OF_CLAIMS,
        defaults: resourceClaimTemplateDefaults,
        deletion: { returnsObject: true },
      },
    table: (minor) => earlier(minor, earlierTemplateTable) ?? namedTable,
  }),
  resource<ResourceSlice>({
    resource: 'resourceslices',
    kind: 'ResourceSlice',
    cluster: true,
    hashedVersion: HASHED,
    storage: STORAGE,
    conversions: { v1beta1: resourceSliceV1beta1, v1alpha3: resourceSliceV1beta1 },
    strategy: (minor) =>
      earlier(minor, earlierSliceRules) ?? {
        ...lateRules(async () => (await import('./validation-slice.ts')).resourceSliceRules),
        checks: { changeTellsEmpty: true },
        defaults: resourceSliceDefaults,
        generation: { countsDropped: true },
        deletion: { returnsObject: true },
        selection: {
          names: ['spec.nodeName', 'spec.driver', ...(isSince({ minor }, 37) ? ['spec.pool.name'] : [])],
          values: (slice) => ({
            'spec.nodeName': slice.spec?.nodeName ?? '',
            'spec.driver': slice.spec?.driver ?? '',
            ...(isSince({ minor }, 37) && { 'spec.pool.name': slice.spec?.pool?.name ?? '' }),
          }),
          refusal: 'notSupportedByKind',
        },
        warnings: (slice, _previous, context) => (isSince(context, 35) ? upperCaseDriver(slice) : []),
      },
    table: (minor) => earlier(minor, earlierSliceTable) ?? resourceSliceTable,
  }),
  resource<DeviceTaintRule>({
    resource: 'devicetaintrules',
    kind: 'DeviceTaintRule',
    cluster: true,
    versions: ['v1', 'v1beta2', 'v1alpha3'],
    storage: { 0: 'v1alpha3', 37: 'v1beta2' },
    subresources: { status: { ...own, since: 35 } },
    strategy: combined(
      STATUS_APART,
      lateRules(async () => (await import('./validation-taint.ts')).deviceTaintRuleRules, 'status'),
      {
        defaults: deviceTaintRuleDefaults,
        prepareForUpdate: renewTaintTime,
        generation: true,
        // The habits of versions before v1.
        unconditionalUpdate: ['v1beta2', 'v1alpha3'],
        deletion: { returnsObject: ['v1beta2', 'v1alpha3'] },
      },
    ),
    table: deviceTaintRuleTable,
  }),
  resource<PodSchedulingContext>({
    resource: 'podschedulingcontexts',
    kind: 'PodSchedulingContext',
    subresources: { status: own },
    strategy: schedulingContextRules,
    table: schedulingContextTable,
  }),
  resource<ResourceClass>({
    resource: 'resourceclasses',
    kind: 'ResourceClass',
    cluster: true,
    strategy: resourceClassRules,
    table: resourceClassTable,
  }),
  resource<ResourceClaimParameters>({
    resource: 'resourceclaimparameters',
    kind: 'ResourceClaimParameters',
    strategy: claimParametersRules,
    table: parametersTable,
  }),
  resource<ResourceClassParameters>({
    resource: 'resourceclassparameters',
    kind: 'ResourceClassParameters',
    strategy: classParametersRules,
    table: parametersTable,
  }),
  resource<ResourcePoolStatusRequest>({
    resource: 'resourcepoolstatusrequests',
    kind: 'ResourcePoolStatusRequest',
    cluster: true,
    versions: ['v1alpha3'],
    subresources: { status: own },
    strategy: poolStatusRules,
    table: poolStatusTable,
  }),
];

function upperCaseDriver({ spec }: ResourceSlice): string[] {
  const driver = spec?.driver ?? '';
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`];
}
