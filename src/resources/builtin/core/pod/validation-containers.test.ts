// The rules of containers, with the errors that kube-apiserver has recorded.

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
  ['no containers', pod({ containers: [] }), 'spec.containers: Required value'],
  [
    'a name of a container that is no label',
    pod({ containers: [{ name: 'Web_1', image: 'nginx:1.27' }] }),
    'spec.containers[0].name: Invalid value: "Web_1": a lowercase RFC 1123 label must consist of',
  ],
  [
    'an init container with the name of a container',
    pod({ initContainers: [{ name: 'web', image: 'x' }] }),
    'spec.initContainers[0].name: Duplicate value: "web"',
  ],
  [
    'images with spaces around them',
    pod({ containers: [{ name: 'a', image: 'b\t' }], initContainers: [{ name: 'q', image: ' ' }] }),
    'spec.containers[0].image: Invalid value: "b\\t": must not have leading or trailing whitespace',
    'spec.initContainers[0].image: Invalid value: " ": must not have leading or trailing whitespace',
  ],
  [
    'an unknown image pull policy',
    container({ imagePullPolicy: 'Sometimes' }),
    'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
  ],
  [
    'an unknown termination message policy',
    container({ terminationMessagePolicy: 'Stdout' }),
    'spec.containers[0].terminationMessagePolicy: Unsupported value: "Stdout": supported values: "File", "FallbackToLogsOnError"',
  ],
  [
    'a container port that is out of range',
    container({ ports: [{ containerPort: 65536 }] }),
    'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
  ],
  [
    'a host port that is out of range',
    container({ ports: [{ containerPort: 80, hostPort: 70000 }] }),
    'spec.containers[0].ports[0].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'a protocol in lower case',
    container({ ports: [{ containerPort: 80, protocol: 'tcp' }] }),
    'spec.containers[0].ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a port name in upper case',
    container({ ports: [{ containerPort: 80, name: 'Http' }] }),
    'spec.containers[0].ports[0].name: Invalid value: "Http": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  ],
  [
    'a port name without a letter',
    container({ ports: [{ containerPort: 80, name: '80-81' }] }),
    'spec.containers[0].ports[0].name: Invalid value: "80-81": must contain at least one letter (a-z)',
  ],
  [
    'a port name that ends in a hyphen',
    container({ ports: [{ containerPort: 80, name: 'ab-' }] }),
    'spec.containers[0].ports[0].name: Invalid value: "ab-": must not begin or end with a hyphen',
  ],
  [
    'a port name twice',
    container({
      ports: [
        { containerPort: 80, name: 'a' },
        { containerPort: 81, name: 'a' },
      ],
    }),
    'spec.containers[0].ports[1].name: Duplicate value: "a"',
  ],
  [
    'another host port than the container port in the network of the host',
    container({ ports: [{ containerPort: 80, hostPort: 8080 }] }, { hostNetwork: true }),
    'spec.containers[0].ports[0].hostPort: Invalid value: 8080: must match `containerPort` when `hostNetwork` is true',
  ],
]);
