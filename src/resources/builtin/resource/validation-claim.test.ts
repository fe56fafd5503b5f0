// The rules of ResourceClaims, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../api/object.ts';

const EXACTLY: JsonObject = {
  deviceClassName: 'gpu.example.com',
  allocationMode: 'ExactCount',
  count: 2,
  selectors: [{ cel: { expression: "device.driver == 'gpu.example.com'" } }],
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' }],
};
const GPU: JsonObject = { name: 'gpu', exactly: EXACTLY };
const NIC: JsonObject = {
  name: 'nic',
  firstAvailable: [
    { name: 'fast', deviceClassName: 'nic.example.com' },
    { name: 'slow', deviceClassName: 'nic.example.com', count: 2 },
  ],
};
/** A sound claim with these members of its devices. */
const claim = (devices: JsonObject): JsonObject => ({
  spec: {
    devices: {
      requests: [GPU, NIC],
      constraints: [{ requests: ['gpu', 'nic'], matchAttribute: 'example.com/numa' }],
      config: [
        {
          requests: ['gpu'],
          opaque: { driver: 'gpu.example.com', parameters: { kind: 'GpuConfig', apiVersion: 'example.com/v1' } },
        },
      ],
      ...devices,
    },
  },
});
/** A sound claim whose first request has these members. */
const gpu = (exactly: JsonObject): JsonObject =>
  claim({ requests: [{ name: 'gpu', exactly: { ...EXACTLY, ...exactly } }, NIC] });

refusals('resourceclaims.resource.k8s.io', [
  [
    'a request with neither way to name devices',
    claim({ requests: [{ name: 'gpu' }, NIC] }),
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
  ],
  [
    'a request name with a dot',
    { spec: { devices: { requests: [{ name: 'a.b', exactly: EXACTLY }, NIC] } } },
    'spec.devices.requests[0].name: Invalid value: "a.b": must not contain dots',
  ],
  [
    'a request without a name',
    claim({ requests: [{}, NIC] }),
    'spec.devices.requests[0].name: Invalid value: "": a lowercase RFC 1123 label must consist of',
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    'spec.devices.constraints[0].requests[0]: Invalid value: "gpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.config[0].requests[0]: Invalid value: "gpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
  [
    'a negative count',
    gpu({ count: -1 }),
    'spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero',
  ],
  ['no device class', gpu({ deviceClassName: '' }), 'spec.devices.requests[0].exactly.deviceClassName: Required value'],
  [
    'a device class that is no subdomain',
    gpu({ deviceClassName: 'Not_Valid!' }),
    'spec.devices.requests[0].exactly.deviceClassName: Invalid value: "Not_Valid!": a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'admin access in a namespace without the label for it',
    gpu({ adminAccess: true }),
    'spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace',
  ],
  [
    'two alternatives with the same name',
    claim({
      requests: [
        GPU,
        {
          name: 'nic',
          firstAvailable: [
            { name: 'fast', deviceClassName: 'nic.example.com' },
            { name: 'fast', deviceClassName: 'nic.example.com', count: 2 },
          ],
        },
      ],
    }),
    'spec.devices.requests[1].firstAvailable[1].name: Duplicate value: "fast"',
  ],
  [
    'a constraint on a request that is not there',
    claim({ constraints: [{ requests: ['tpu'], matchAttribute: 'example.com/numa' }] }),
    'spec.devices.constraints[0].requests[0]: Invalid value: "tpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
  [
    'constraints and configurations of a request that was left out',
    claim({ requests: [NIC] }),
    'spec.devices.constraints[0].requests[0]: Invalid value: "gpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
    'spec.devices.config[0].requests[0]: Invalid value: "gpu": must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'',
  ],
  [
    'a constraint by an attribute without a domain',
    claim({ constraints: [{ requests: ['gpu', 'nic'], matchAttribute: 'numa' }] }),
    'spec.devices.constraints[0].matchAttribute: Invalid value: "numa": must include a domain',
  ],
  [
    'an opaque configuration without a driver',
    claim({
      config: [
        { requests: ['gpu'], opaque: { driver: '', parameters: { kind: 'GpuConfig', apiVersion: 'example.com/v1' } } },
      ],
    }),
    'spec.devices.config[0].opaque.driver: Required value',
    'spec.devices.config[0].opaque.driver: Invalid value: "": a lowercase RFC 1123 subdomain must consist of',
  ],
]);
