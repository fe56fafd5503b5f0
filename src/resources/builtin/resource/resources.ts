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
import { poolStatusRules, poolStatusTable } from './pool-status.ts';
import { deviceTaintRuleTable, resourceClaimTable, resourceSliceTable } from './tables.ts';
import type { DeviceTaintRule, ResourcePoolStatusRequest } from './v1alpha3-objects.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './v1beta2-objects.ts';

const resource = group('resource.k8s.io', 'v1', 'v1beta2', 'v1beta1');

const CHECKS_OF_CLAIMS: Strategy['checks'] = {
  create: ['content', 'metadata', 'creation'],
  update: ['metadata', 'metadataChange', 'change'],
  changeTellsOrder: true,
};

export const resourceResources: readonly ResourceDefinition[] = [
  resource<DeviceClass>({
    resource: 'deviceclasses',
    kind: 'DeviceClass',
    cluster: true,
    storage: { 0: 'v1beta2', 35: 'v1' },
    strategy: (minor) => ({
      ...lateRules(async () => (await import('./validation-claim.ts')).deviceClassRules),
      ...uncheckedPrefix(minor),
      checks: { update: ['metadata', 'change', 'metadataChange', 'change'] },
      generation: true,
      deletion: { returnsObject: true },
    }),
    table: namedTable,
  }),
  resource<ResourceClaim>({
    resource: 'resourceclaims',
    kind: 'ResourceClaim',
    storage: { 0: 'v1beta2', 35: 'v1' },
    conversions: { v1beta1: resourceClaimV1beta1 },
    subresources: { status: ownWithoutTables },
    strategy: (minor) =>
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
    table: resourceClaimTable,
  }),
  resource<ResourceClaimTemplate>({
    resource: 'resourceclaimtemplates',
    kind: 'ResourceClaimTemplate',
    storage: { 0: 'v1beta2', 35: 'v1' },
    conversions: { v1beta1: resourceClaimTemplateV1beta1 },
    strategy: {
      ...lateRules(async () => (await import('./validation-claim.ts')).resourceClaimTemplateRules),
      checks: CHECKS_OF_CLAIMS,
      defaults: resourceClaimTemplateDefaults,
      deletion: { returnsObject: true },
    },
    table: namedTable,
  }),
  resource<ResourceSlice>({
    resource: 'resourceslices',
    kind: 'ResourceSlice',
    cluster: true,
    storage: { 0: 'v1beta2', 35: 'v1' },
    conversions: { v1beta1: resourceSliceV1beta1 },
    strategy: (minor) => ({
      ...lateRules(async () => (await import('./validation-slice.ts')).resourceSliceRules),
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
    }),
    table: resourceSliceTable,
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
