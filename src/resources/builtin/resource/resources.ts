// Resources of dynamic resource allocation.

import {
  resourceClaimTemplateV1beta1,
  resourceClaimV1beta1,
  resourceSliceV1beta1,
} from '../../conversion/device-claims.ts';
import { RESET_METADATA, type ResourceDefinition } from '../../definition.ts';
import { lateRules } from '../../late-rules.ts';
import { group, ownWithoutTables } from '../../resource.ts';
import { namedTable } from '../../table.ts';
import { dropDeallocatedDevices } from './claim-devices.ts';
import {
  deviceTaintRuleDefaults,
  resourceClaimDefaults,
  resourceClaimTemplateDefaults,
  resourceSliceDefaults,
} from './defaults.ts';
import { deviceTaintRuleTable, resourceClaimTable, resourceSliceTable } from './tables.ts';
import type { DeviceTaintRule } from './v1alpha3-objects.ts';
import type { DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice } from './v1beta2-objects.ts';

const resource = group('resource.k8s.io', 'v1', 'v1beta2', 'v1beta1');

export const resourceResources: readonly ResourceDefinition[] = [
  resource<DeviceClass>({
    resource: 'deviceclasses',
    kind: 'DeviceClass',
    hash: 'weQRMT6DeYM=',
    cluster: true,
    storage: 'v1beta2',
    strategy: {
      ...lateRules(async () => (await import('./validation-claim.ts')).deviceClassRules),
      updateChecks: ['metadata', 'change', 'metadataChange', 'change'],
      generation: true,
      returnsDeleted: true,
    },
    table: namedTable,
  }),
  resource<ResourceClaim>({
    resource: 'resourceclaims',
    kind: 'ResourceClaim',
    hash: 'EJAWH5WrAYg=',
    storage: 'v1beta2',
    conversions: { v1beta1: resourceClaimV1beta1 },
    subresources: { status: ownWithoutTables },
    strategy: {
      ...lateRules(async () => (await import('./validation-claim.ts')).resourceClaimRules),
      keepsTexts: true,
      createChecks: ['content', 'metadata', 'creation'],
      updateChecks: ['metadata', 'metadataChange', 'change'],
      defaults: resourceClaimDefaults,
      prepareForStatusUpdate: dropDeallocatedDevices,
      returnsDeleted: true,
      statusKeeps: RESET_METADATA,
      resetFields: { status: ['spec'] },
    },
    table: resourceClaimTable,
  }),
  resource<ResourceClaimTemplate>({
    resource: 'resourceclaimtemplates',
    kind: 'ResourceClaimTemplate',
    hash: '24m0okHrUtk=',
    storage: 'v1beta2',
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
    hash: 'z6Bc9vgk6yE=',
    cluster: true,
    storage: 'v1beta2',
    conversions: { v1beta1: resourceSliceV1beta1 },
    strategy: {
      ...lateRules(async () => (await import('./validation-slice.ts')).resourceSliceRules),
      defaults: resourceSliceDefaults,
      generation: true,
      generationTellsDropped: true,
      returnsDeleted: true,
      selectableFieldNames: ['spec.nodeName', 'spec.driver'],
      selectableFields: (slice) => ({
        'spec.nodeName': slice.spec?.nodeName ?? '',
        'spec.driver': slice.spec?.driver ?? '',
      }),
      unknownField: 'notSupportedByKind',
    },
    table: resourceSliceTable,
  }),
  resource<DeviceTaintRule>({
    resource: 'devicetaintrules',
    kind: 'DeviceTaintRule',
    hash: 'DJ3UJ0fj8MI=',
    cluster: true,
    versions: ['v1alpha3'],
    strategy: {
      ...lateRules(async () => (await import('./validation-taint.ts')).deviceTaintRuleRules),
      defaults: deviceTaintRuleDefaults,
      generation: true,
      returnsDeleted: true,
    },
    table: deviceTaintRuleTable,
  }),
];
