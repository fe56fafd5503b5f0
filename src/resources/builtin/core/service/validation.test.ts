// The rules of Services, with the errors that kube-apiserver has recorded.

import { refusals } from '../../../../../test/contract/refusals.ts';
import type { JsonObject } from '../../../../api/object.ts';

/** A sound Service with these members of its spec. */
const service = (spec: JsonObject): JsonObject => ({
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
});

refusals('services', [
  ['no ports', service({ ports: [] }), 'spec.ports: Required value'],
  [
    'a port that is out of range',
    service({ ports: [{ port: 0 }] }),
    'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'several ports without names',
    service({ ports: [{ port: 80 }, { port: 81 }] }),
    'spec.ports[0].name: Required value',
    'spec.ports[1].name: Required value',
  ],
  [
    'ports with the same name',
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'a', port: 81 },
      ],
    }),
    'spec.ports[1].name: Duplicate value: "a"',
  ],
  [
    'a protocol in lower case',
    service({ ports: [{ port: 80, protocol: 'tcp' }] }),
    'spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'a target port that is not the name of a port',
    service({ ports: [{ port: 80, targetPort: 'HTTP' }] }),
    'spec.ports[0].targetPort: Invalid value: "HTTP": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    'spec.ports[0].targetPort: Invalid value: "HTTP": must contain at least one letter (a-z)',
  ],
  [
    'a target port with a name that is too long',
    service({ ports: [{ port: 80, targetPort: 'a-very-long-port-name' }] }),
    'spec.ports[0].targetPort: Invalid value: "a-very-long-port-name": must be no more than 15 characters',
  ],
  [
    'an unknown type',
    service({ type: 'Odd' }),
    'spec.type: Unsupported value: "Odd": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'a node port of a Service with a cluster IP only',
    service({ ports: [{ port: 80, nodePort: 30016 }] }),
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'cluster IPs that do not begin with the cluster IP',
    service({ clusterIP: '10.0.0.13', clusterIPs: ['10.0.0.14'] }),
    'spec.clusterIPs: Invalid value: ["10.0.0.14"]: first value must match `clusterIP`',
  ],
  [
    'two cluster IPs of one family',
    service({ clusterIPs: ['10.0.0.13', '10.0.0.13'] }),
    'spec.clusterIPs: Invalid value: ["10.0.0.13","10.0.0.13"]: must be empty when `clusterIP` is not specified',
    'spec.clusterIPs: Invalid value: ["10.0.0.13","10.0.0.13"]: may specify no more than one IP for each IP family',
  ],
  [
    'the same IP family twice',
    service({ ipFamilies: ['IPv4', 'IPv4'] }),
    'spec.ipFamilies[1]: Duplicate value: "IPv4"',
  ],
  [
    'an unknown IP family',
    service({ ipFamilies: ['IPv5'] }),
    'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
  ],
  [
    'an unknown IP family policy',
    service({ ipFamilyPolicy: 'Both' }),
    'spec.ipFamilyPolicy: Unsupported value: "Both": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
  ],
  [
    'an unknown session affinity',
    service({ sessionAffinity: 'Cookie' }),
    'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
  ],
  [
    'a session affinity without time',
    service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } }),
    'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
  ],
  [
    'an external traffic policy without external traffic',
    service({ externalTrafficPolicy: 'Local' }),
    'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
  ],
  [
    'load balancer node ports without a load balancer',
    service({ allocateLoadBalancerNodePorts: true }),
    "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
  ],
  [
    'a health check port without a load balancer',
    service({ healthCheckNodePort: 30022 }),
    "spec.healthCheckNodePort: Invalid value: 30022: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
  ],
  [
    'a load balancer class with a space',
    service({ type: 'LoadBalancer', loadBalancerClass: 'A b' }),
    'spec.loadBalancerClass: Invalid value: "A b": name part must consist',
  ],
  [
    'an unknown traffic distribution',
    service({ trafficDistribution: 'Odd' }),
    'spec.trafficDistribution: Unsupported value: "Odd": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
  ],
]);
