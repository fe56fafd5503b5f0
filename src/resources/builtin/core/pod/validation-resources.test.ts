// The rules of what containers and pods request, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

const WEB: JsonObject = { name: 'web', image: 'nginx:1.27' };
/** A sound pod with these members of its spec. */
const pod = (spec: JsonObject): JsonObject => ({
  spec: { automountServiceAccountToken: false, containers: [WEB], ...spec },
});
/** A pod whose container has these members. */
const container = (more: JsonObject, spec: JsonObject = {}): JsonObject =>
  pod({ containers: [{ ...WEB, ...more }], ...spec });

refusals('pods', [
  [
    'a request above its limit',
    container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
  ],
  [
    'a negative request',
    container({ resources: { requests: { cpu: '-1' } } }),
    'spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'a limit of an unknown resource, which is requested, too',
    container({ resources: { limits: { disk: '1' } } }),
    'spec.containers[0].resources.limits[disk]: Invalid value: "disk": must be a standard resource type or fully qualified',
    'spec.containers[0].resources.limits[disk]: Invalid value: "disk": must be a standard resource for containers',
    'spec.containers[0].resources.requests[disk]: Invalid value: "disk": must be a standard resource type or fully qualified',
    'spec.containers[0].resources.requests[disk]: Invalid value: "disk": must be a standard resource for containers',
  ],
  [
    'a part of an extended resource',
    container({ resources: { limits: { 'example.com/gpu': '500m' } } }),
    'spec.containers[0].resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
    'spec.containers[0].resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer',
  ],
  [
    'an extended resource without a limit',
    container({ resources: { requests: { 'example.com/gpu': '1' } } }),
    'spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
  ],
  [
    'huge pages without cpu and memory',
    container({ resources: { limits: { 'hugepages-2Mi': '4Mi' } } }),
    'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
  ],
  [
    'a request of the pod below those of its containers',
    container({ resources: { requests: { cpu: '2' } } }, { resources: { requests: { cpu: '1' } } }),
    'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
  ],
  [
    'a resource that cannot be requested for a pod as a whole',
    pod({ resources: { requests: { 'ephemeral-storage': '1Gi' } } }),
    'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
  ],
]);
