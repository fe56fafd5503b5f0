// Versions of built-in resources removed in v1.34 that an older emulated version, or --runtime-config, brings back:
// their types, conversions and differing validation. Loaded only then.

import { apiVersionOf } from '../../api/group-version.ts';
import { ownMember } from '../../api/own-member.ts';
import type { StructNode } from '../../schema/node.ts';
import { coreEventRules, validateAnyEvent } from '../builtin/core/event/validation.ts';
import { REMOVED_TYPES } from '../builtin/removed-types.ts';
import { findBuiltinType } from '../builtin/types.ts';
import { newerEvent } from '../conversion/events.ts';
import type { Conversion, ServedVersion, Strategy } from '../definition.ts';
import { autoscalerV2beta1, autoscalerV2beta2 } from './autoscaler.ts';
import { disruptionBudgetV1beta1 } from './disruption-budget.ts';
import { endpointSliceV1beta1 } from './endpoint-slice.ts';
import { assuredShares, nominalShares } from './flow-control.ts';

/** A version of a resource that is no longer part of its declaration. */
export interface RemovedVersion {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly served: ServedVersion;
  /** Validation that differs from later versions. */
  readonly strategy: Partial<Strategy>;
}

interface RemovedVersionInit {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly conversion?: Conversion;
  readonly strategy?: Partial<Strategy>;
  /** Served by releases older than those that kube-apiserver emulates by default: betas of their time. */
  readonly enabledByDefault?: boolean;
}

const FLOW_CONTROL = 'flowcontrol.apiserver.k8s.io';

const REMOVED: readonly RemovedVersionInit[] = [
  ...['v1beta3', 'v1beta2', 'v1beta1'].flatMap((version): RemovedVersionInit[] => [
    { group: FLOW_CONTROL, version, resource: 'flowschemas', kind: 'FlowSchema' },
    {
      group: FLOW_CONTROL,
      version,
      resource: 'prioritylevelconfigurations',
      kind: 'PriorityLevelConfiguration',
      conversion: version === 'v1beta3' ? nominalShares : assuredShares,
    },
  ]),
  { group: 'storage.k8s.io', version: 'v1beta1', resource: 'csistoragecapacities', kind: 'CSIStorageCapacity' },
  {
    group: 'autoscaling',
    version: 'v2beta2',
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    conversion: autoscalerV2beta2,
  },
  {
    group: 'autoscaling',
    version: 'v2beta1',
    resource: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    conversion: autoscalerV2beta1,
  },
  {
    group: 'batch',
    version: 'v1beta1',
    resource: 'cronjobs',
    kind: 'CronJob',
    strategy: { deletion: { propagation: 'Orphan' } },
  },
  {
    group: 'discovery.k8s.io',
    version: 'v1beta1',
    resource: 'endpointslices',
    kind: 'EndpointSlice',
    conversion: endpointSliceV1beta1,
    // Writing v1 drops what is only in deprecatedTopology; this version has no other place for it.
    strategy: { prepareForCreate: undefined, prepareForUpdate: undefined },
  },
  {
    group: 'events.k8s.io',
    version: 'v1beta1',
    resource: 'events',
    kind: 'Event',
    conversion: newerEvent,
    strategy: {
      ...coreEventRules,
      validate: undefined,
      validateCreate: (event) => validateAnyEvent(event, 'reportingController'),
      validateUpdate: undefined,
    },
  },
  {
    group: 'policy',
    version: 'v1beta1',
    resource: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    conversion: disruptionBudgetV1beta1,
    strategy: { subresources: { status: { checks: { update: [] } } } },
  },
  { group: 'node.k8s.io', version: 'v1beta1', resource: 'runtimeclasses', kind: 'RuntimeClass' },
  ...(
    [
      ['validatingadmissionpolicies', 'ValidatingAdmissionPolicy'],
      ['validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding'],
    ] as const
  ).flatMap(([resource, kind]) =>
    ['v1beta1', 'v1alpha1'].map((version) => ({
      group: 'admissionregistration.k8s.io',
      ...{ version, resource, kind, enabledByDefault: false },
    })),
  ),
  ...['v1beta1', 'v1alpha1'].map((version) => ({
    group: 'authentication.k8s.io',
    ...{ version, resource: 'selfsubjectreviews', kind: 'SelfSubjectReview', enabledByDefault: false },
  })),
];

/** All removed versions that can be served, newer versions of a resource before older ones. */
export const removedVersions: readonly RemovedVersion[] = REMOVED.map(
  ({ group, version, resource, kind, conversion, strategy = {}, enabledByDefault = true }) => {
    const schema = typeOf(group, version, kind);
    if (schema === undefined) throw new Error(`no removed type ${group}/${version} ${kind}`);
    const listSchema = typeOf(group, version, `${kind}List`);
    return { group, resource, kind, served: { version, schema, listSchema, conversion, enabledByDefault }, strategy };
  },
);

/** Versions that still have other kinds include the removed ones in their declarations. */
function typeOf(group: string, version: string, kind: string): StructNode | undefined {
  return ownMember(REMOVED_TYPES[apiVersionOf({ group, version })], kind) ?? findBuiltinType(group, version, kind);
}
