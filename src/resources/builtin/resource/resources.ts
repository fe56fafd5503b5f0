// Resources of dynamic resource allocation.

import { isSince } from '../../../lifecycle/version.ts';
import {
  resourceClaimTemplateV1beta1,
  resourceClaimV1beta1,
  resourceSliceV1beta1,
} from '../../conversion/device-claims.ts';
import { RESET_METADATA, type ResourceDefinition, STATUS_APART } from '../../definition.ts';
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

export const resourceResources: readonly ResourceDefinition[] = [
  resource<DeviceClass>({
    resource: 'deviceclasses',
    kind: 'DeviceClass',
    cluster: true,
    storage: { 0: 'v1beta2', 35: 'v1' },
    strategy: (minor) => ({
      ...lateRules(async () => (await import('./validation-claim.ts')).deviceClassRules),
      ...uncheckedPrefix(minor),
      updateChecks: ['metadata', 'change', 'metadataChange', 'change'],
      generation: true,
      returnsDeleted: true,
    }),
    table: namedTable,
  }),
  resource<ResourceClaim>({
    resource: 'resourceclaims',
    kind: 'ResourceClaim',
    storage: { 0: 'v1beta2', 35: 'v1' },
    conversions: { v1beta1: resourceClaimV1beta1 },
    subresources: { status: ownWithoutTables },
    strategy: (minor) => ({
      ...lateRules(async () => (await import('./validation-claim.ts')).resourceClaimRules),
      keepsTexts: true,
      createChecks: ['content', 'metadata', 'creation'],
      updateChecks: ['metadata', 'metadataChange', 'change'],
      defaults: resourceClaimDefaults,
      prepareForStatusUpdate: dropDeallocatedDevices,
      returnsDeleted: true,
      statusKeeps: RESET_METADATA,
      resetFields: { status: isSince({ minor }, 35) ? ['metadata', 'spec'] : ['spec'] },
    }),
    table: resourceClaimTable,
  }),
  resource<ResourceClaimTemplate>({
    resource: 'resourceclaimtemplates',
    kind: 'ResourceClaimTemplate',
    storage: { 0: 'v1beta2', 35: 'v1' },
    conversions: { v1beta1: resourceClaimTemplateV1beta1 },
    strategy: {
      ...lateRules(async () => (await import('./validation-claim.ts')).resourceClaimTemplateRules),
      keepsTexts: true,
      createChecks: ['content', 'metadata', 'creation'],
      updateChecks: ['metadata', 'metadataChange', 'change'],
      defaults: resourceClaimTemplateDefaults,
      returnsDeleted: true,
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
      generation: true,
      generationTellsDropped: true,
      returnsDeleted: true,
      selectableFieldNames: ['spec.nodeName', 'spec.driver', ...(isSince({ minor }, 37) ? ['spec.pool.name'] : [])],
      selectableFields: (slice) => ({
        'spec.nodeName': slice.spec?.nodeName ?? '',
        'spec.driver': slice.spec?.driver ?? '',
        ...(isSince({ minor }, 37) && { 'spec.pool.name': slice.spec?.pool?.name ?? '' }),
      }),
      unknownField: 'notSupportedByKind',
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
    strategy: {
      ...lateRules(async () => (await import('./validation-taint.ts')).deviceTaintRuleRules),
      defaults: deviceTaintRuleDefaults,
      prepareForUpdate: renewTaintTime,
      generation: true,
      returnsDeleted: true,
      strictVersions: ['v1'],
      ...STATUS_APART,
    },
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
