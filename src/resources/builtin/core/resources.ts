// Resources of the core group.

import { isSince } from '../../../lifecycle/version.ts';
import { combined } from '../../combined-rules.ts';
import { newerEvent } from '../../conversion/events.ts';
import type { ResourceDefinition } from '../../definition.ts';
import { group, own, ownWithoutTables, PROXY_VERBS, scale } from '../../resource.ts';
import { uncheckedPrefix } from '../../unchecked-prefixes.ts';
import type { ComponentStatus } from './cluster-objects.ts';
import type { ConfigMap, Secret, ServiceAccount } from './config/objects.ts';
import { configMapRules, secretRules } from './config/validation.ts';
import { serviceAccountRules } from './config/validation-service-account.ts';
import {
  endpointsDefaults,
  limitRangeDefaults,
  nodeDefaults,
  podTemplateKindDefaults,
  replicationControllerDefaults,
  resourceQuotaDefaults,
} from './defaults.ts';
import type { Endpoints } from './endpoints/objects.ts';
import { endpointsRules } from './endpoints/validation.ts';
import type { Event } from './event/objects.ts';
import { coreEventRules } from './event/validation.ts';
import type { Namespace } from './namespace/objects.ts';
import { namespaceRules } from './namespace/validation.ts';
import type { Node } from './node/objects.ts';
import { nodeRules } from './node/validation.ts';
import type { PersistentVolume } from './persistent-volume/objects.ts';
import { persistentVolumeRules } from './persistent-volume/validation.ts';
import { CLAIM_TEMPLATE_GATES } from './persistent-volume-claim/gates.ts';
import type { PersistentVolumeClaim } from './persistent-volume-claim/objects.ts';
import { persistentVolumeClaimRules } from './persistent-volume-claim/validation.ts';
import { podDefaults } from './pod/defaults.ts';
import { dropGatedOf, dropGatedOfPod, dropGatedOfTemplate } from './pod/gated-fields.ts';
import type { Pod, PodTemplate } from './pod/objects.ts';
import { podRules, podTemplateRules, replicationControllerRules } from './pod/strategy.ts';
import { podSubresourceRules } from './pod/subresources.ts';
import { podTable } from './pod/table.ts';
import type { LimitRange, ResourceQuota } from './quota/objects.ts';
import { limitRangeRules, resourceQuotaRules } from './quota/validation.ts';
import type { ReplicationController } from './replication-controller/objects.ts';
import {
  eventFields,
  namespaceFields,
  nodeFields,
  podFields,
  replicationControllerFields,
  secretFields,
  serviceFields,
} from './selectable.ts';
import { serviceDefaults } from './service/defaults.ts';
import { serviceDefaultsOnRead } from './service/defaults-on-read.ts';
import type { Service } from './service/objects.ts';
import { serviceRules } from './service/validation.ts';
import {
  limitRangeStrategy,
  namespaceStrategy,
  nodeStrategy,
  persistentVolumeClaimStrategy,
  persistentVolumeStrategy,
  podStrategy,
  secretStrategy,
} from './strategy.ts';
import {
  componentStatusTable,
  configMapTable,
  endpointsTable,
  eventTable,
  namespaceTable,
  nodeTable,
  persistentVolumeClaimTable,
  persistentVolumeTable,
  podTemplateTable,
  replicationControllerTable,
  resourceQuotaTable,
  secretTable,
  serviceAccountTable,
  serviceTable,
} from './tables.ts';
import { claimDefaults, persistentVolumeDefaults } from './volume/defaults.ts';

const core = group('', 'v1');

export const coreResources: readonly ResourceDefinition[] = [
  core({ resource: 'bindings', kind: 'Binding', verbs: ['create'] }),
  core<ComponentStatus>({
    resource: 'componentstatuses',
    kind: 'ComponentStatus',
    cluster: true,
    shortNames: ['cs'],
    verbs: ['get', 'list'],
    table: componentStatusTable,
  }),
  core<ConfigMap>({
    resource: 'configmaps',
    kind: 'ConfigMap',
    shortNames: ['cm'],
    strategy: configMapRules,
    table: configMapTable,
  }),
  core<Endpoints>({
    resource: 'endpoints',
    kind: 'Endpoints',
    shortNames: ['ep'],
    prefix: 'services/endpoints',
    strategy: { ...endpointsRules, defaults: endpointsDefaults, createOnUpdate: true },
    table: endpointsTable,
  }),
  core<Event>({
    resource: 'events',
    kind: 'Event',
    shortNames: ['ev'],
    expires: true,
    alsoIn: { 'events.k8s.io/v1': newerEvent },
    strategy: {
      ...coreEventRules,
      anyFinalizer: true,
      nameRule: 'pathSegment',
      createOnUpdate: true,
      deletion: { propagation: 'Unsupported' },
      selection: eventFields,
    },
    table: eventTable,
  }),
  core<LimitRange>({
    resource: 'limitranges',
    kind: 'LimitRange',
    shortNames: ['limits'],
    strategy: { ...limitRangeStrategy, ...limitRangeRules, defaults: limitRangeDefaults, createOnUpdate: true },
  }),
  core<Namespace>({
    resource: 'namespaces',
    kind: 'Namespace',
    cluster: true,
    shortNames: ['ns'],
    verbs: 'noCollectionDelete',
    subresources: { finalize: { verbs: ['update'], tables: false }, status: own },
    strategy: combined(namespaceRules, namespaceStrategy, { nameRule: 'label', selection: namespaceFields }),
    table: namespaceTable,
  }),
  core<Node>({
    resource: 'nodes',
    kind: 'Node',
    cluster: true,
    shortNames: ['no'],
    prefix: 'minions',
    subresources: { proxy: { verbs: PROXY_VERBS, kind: 'NodeProxyOptions' }, status: own },
    strategy: combined(nodeRules, nodeStrategy, { defaults: nodeDefaults, selection: nodeFields }),
    table: nodeTable,
  }),
  core<PersistentVolumeClaim>({
    resource: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    shortNames: ['pvc'],
    subresources: { status: own },
    strategy: { ...persistentVolumeClaimRules, ...persistentVolumeClaimStrategy, defaults: claimDefaults },
    table: persistentVolumeClaimTable,
  }),
  core<PersistentVolume>({
    resource: 'persistentvolumes',
    kind: 'PersistentVolume',
    cluster: true,
    shortNames: ['pv'],
    subresources: { status: own },
    strategy: combined(persistentVolumeRules, persistentVolumeStrategy, { defaults: persistentVolumeDefaults }),
    table: persistentVolumeTable,
  }),
  core<Pod>({
    resource: 'pods',
    kind: 'Pod',
    shortNames: ['po'],
    categories: ['all'],
    subresources: {
      attach: { verbs: ['create', 'get'], kind: 'PodAttachOptions' },
      binding: { verbs: ['create'], kind: 'Binding' },
      ephemeralcontainers: ownWithoutTables,
      eviction: { verbs: ['create'], kind: 'policy/v1/Eviction' },
      exec: { verbs: ['create', 'get'], kind: 'PodExecOptions' },
      log: { verbs: ['get'] },
      portforward: { verbs: ['create', 'get'], kind: 'PodPortForwardOptions' },
      proxy: { verbs: PROXY_VERBS, kind: 'PodProxyOptions' },
      resize: { ...ownWithoutTables, since: 32, gate: 'InPlacePodVerticalScaling' },
      status: own,
    },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: (minor) =>
      combined(podStrategy, podRules, podSubresourceRules, {
        defaults: podDefaults,
        dropGated: dropGatedOfPod,
        generation: isSince({ minor }, 33),
        subresources: {
          status: { keeps: ['ownerReferences', 'deletionTimestamp'], keepsGated: !isSince({ minor }, 33) },
        },
        selection: podFields,
      }),
    table: podTable,
  }),
  core<PodTemplate>({
    resource: 'podtemplates',
    kind: 'PodTemplate',
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: {
      ...podTemplateRules,
      defaults: podTemplateKindDefaults,
      dropGated: ({ template }, context) => dropGatedOf(template, context),
      generation: true,
      deletion: { returnsObject: true },
    },
    table: podTemplateTable,
  }),
  core<ReplicationController>({
    resource: 'replicationcontrollers',
    kind: 'ReplicationController',
    shortNames: ['rc'],
    categories: ['all'],
    prefix: 'controllers',
    subresources: { scale, status: own },
    keptGates: CLAIM_TEMPLATE_GATES,
    strategy: (minor) => ({
      ...replicationControllerRules(minor),
      ...uncheckedPrefix(minor),
      defaults: replicationControllerDefaults,
      dropGated: dropGatedOfTemplate,
      generation: true,
      selection: replicationControllerFields,
      deletion: { propagation: 'Orphan' },
    }),
    table: replicationControllerTable,
  }),
  core<ResourceQuota>({
    resource: 'resourcequotas',
    kind: 'ResourceQuota',
    shortNames: ['quota'],
    subresources: { status: own },
    strategy: { ...resourceQuotaRules, defaults: resourceQuotaDefaults, deletion: { returnsObject: true } },
    table: resourceQuotaTable,
  }),
  core<Secret>({
    resource: 'secrets',
    kind: 'Secret',
    strategy: { ...secretRules, ...secretStrategy, selection: secretFields },
    table: secretTable,
  }),
  core<ServiceAccount>({
    resource: 'serviceaccounts',
    kind: 'ServiceAccount',
    shortNames: ['sa'],
    subresources: { token: { verbs: ['create'], kind: 'authentication.k8s.io/v1/TokenRequest' } },
    strategy: { ...serviceAccountRules, deletion: { returnsObject: true } },
    table: serviceAccountTable,
  }),
  core<Service>({
    resource: 'services',
    kind: 'Service',
    shortNames: ['svc'],
    categories: ['all'],
    prefix: 'services/specs',
    subresources: { proxy: { verbs: PROXY_VERBS, kind: 'ServiceProxyOptions' }, status: own },
    strategy: (minor) =>
      combined(serviceRules, {
        defaults: serviceDefaults,
        defaultsOnRead: (service, { serviceFamily = 'IPv4' }) => serviceDefaultsOnRead(service, serviceFamily),
        createOnUpdate: true,
        subresources: { status: { creates: true } },
        selection: serviceFields(minor),
        deletion: { returnsObject: true },
      }),
    table: serviceTable,
  }),
];
