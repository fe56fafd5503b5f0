// The rules of services, but for those of their addresses and node ports, which stand in service-addresses.ts and with
// what gives them out.

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { validateLabels } from '../../../../api/metadata-validation.ts';
import { labelFaults, qualifiedNameFaults, subdomainFaults } from '../../../../api/names.ts';
import type { ApiObject, Json, JsonObject } from '../../../../api/object.ts';
import type { Behaviour, BehaviourContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../../validation/field-rules.ts';
import {
  cidrWarnings,
  ipWarnings,
  parseIp,
  validateCidr,
  validateEndpointIp,
  validateIp,
} from '../../../validation/ip-addresses.ts';
import {
  PROTOCOLS,
  validatePortNumber,
  validatePortNumberOrName,
  validateProtocol,
} from '../../../validation/port-rules.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../../value.ts';
import { validateServiceAddresses, validateServiceAddressesUpdate } from './addresses.ts';
import { isHeadless, isReachedFromOutside, needsHealthCheckPort } from './service-type.ts';
import { dropTypeDependent } from './type-change.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const KUBELET_PORT = 10_250;
const MOST_AFFINITY_SECONDS = 86_400;
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';
const SOURCE_RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const ONLY_BALANCERS = "may only be used when `type` is 'LoadBalancer'";

type Rules = Pick<BehaviourContext, 'gateEnabled'>;

function validateService(service: ApiObject, rules: Rules): FieldError[] {
  const spec = at(service, 'spec');
  const ports = listAt(spec, 'ports');
  return [
    ...validateTopologyAnnotations(service),
    ...validateOfType(service, spec, ports),
    ...validatePorts(ports),
    ...validateLabels(at(spec, 'selector') as Record<string, string> | undefined, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateServiceAddresses(spec),
    ...validateItems(listAt(spec, 'externalIPs'), 'spec.externalIPs', (ip, field) => {
      const found = validateIp(String(ip), field);
      return found.length > 0 ? found : validateEndpointIp(String(ip), field);
    }),
    ...validateType(spec, ports),
    ...validateNoPortTwice(ports),
    ...validateBalancer(service, spec),
    ...validateTraffic(spec, rules),
  ];
}

function validateTopologyAnnotations({ metadata }: ApiObject): FieldError[] {
  const hints = metadata.annotations?.[HINTS];
  const mode = metadata.annotations?.[TOPOLOGY_MODE];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const why = `must match annotations[${HINTS}] when both are specified`;
  return [fieldError.invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, why)];
}

function validateOfType(service: ApiObject, spec: Json | undefined, ports: readonly Json[]): FieldError[] {
  const type = textAt(spec, 'type');
  const found: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') found.push(fieldError.required('spec.ports'));
  if (type === 'ExternalName') return [...found, ...validateExternalName(service)];
  if (type === 'LoadBalancer') {
    for (const [index, port] of ports.entries()) {
      if (numberAt(port, 'port') !== KUBELET_PORT) continue;
      const why = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`;
      found.push(fieldError.invalid(`spec.ports[${index}]`, KUBELET_PORT, why));
    }
  }
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    found.push(fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  return found;
}

function validateExternalName({ spec }: ApiObject): FieldError[] {
  const found: FieldError[] = [];
  for (const member of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    if ((at(spec, member) ?? null) === null) continue;
    found.push(fieldError.forbidden(`spec.${member}`, 'may not be set for ExternalName services'));
  }
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  if (name === '') found.push(fieldError.required('spec.externalName'));
  else found.push(...faultErrors(subdomainFaults(name), name, 'spec.externalName'));
  return found;
}

function validatePorts(ports: readonly Json[]): FieldError[] {
  const names = new Set<string>();
  return validateItems(ports, 'spec.ports', (port, field) => {
    const found: FieldError[] = [];
    const name = textAt(port, 'name');
    if (name !== '') {
      found.push(...faultErrors(labelFaults(name), name, `${field}.name`));
      if (names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
      names.add(name);
    } else if (ports.length > 1) found.push(fieldError.required(`${field}.name`));
    const appProtocol = at(port, 'appProtocol');
    found.push(
      ...validatePortNumber(numberAt(port, 'port'), `${field}.port`),
      ...validateProtocol(textAt(port, 'protocol'), PROTOCOLS, `${field}.protocol`),
      ...validatePortNumberOrName(at(port, 'targetPort'), `${field}.targetPort`),
    );
    if (typeof appProtocol === 'string') {
      found.push(...faultErrors(qualifiedNameFaults(appProtocol), appProtocol, `${field}.appProtocol`));
    }
    return found;
  });
}

function validateAffinity(spec: Json | undefined): FieldError[] {
  const affinity = textAt(spec, 'sessionAffinity');
  const config = at(spec, 'sessionAffinityConfig');
  const field = 'spec.sessionAffinityConfig';
  if (affinity === '') return [fieldError.required('spec.sessionAffinity')];
  if (affinity === 'None') {
    return isObject(config) ? [fieldError.forbidden(field, 'must not be set when session affinity is None')] : [];
  }
  if (affinity !== 'ClientIP') return [fieldError.notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None'])];
  const seconds = at(config, 'clientIP', 'timeoutSeconds');
  if (typeof seconds !== 'number') {
    const missing = !isObject(config)
      ? ''
      : isObject(at(config, 'clientIP'))
        ? '.clientIP.timeoutSeconds'
        : '.clientIP';
    return [fieldError.required(`${field}${missing}`, 'when session affinity type is ClientIP')];
  }
  if (seconds > 0 && seconds <= MOST_AFFINITY_SECONDS) return [];
  const why = `must be greater than 0 and less than ${MOST_AFFINITY_SECONDS}`;
  return [fieldError.invalid(`${field}.clientIP.timeoutSeconds`, seconds, why)];
}

function validateType(spec: Json | undefined, ports: readonly Json[]): FieldError[] {
  const type = textAt(spec, 'type');
  if (type === '') return [fieldError.required('spec.type')];
  if (type !== 'ClusterIP') return validateChoice(type, TYPES, 'spec.type');
  return validateItems(ports, 'spec.ports', (port, field) =>
    numberAt(port, 'nodePort') === 0
      ? []
      : [fieldError.forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function validateNoPortTwice(ports: readonly Json[]): FieldError[] {
  const seen = new Set<string>();
  const repeated = (kind: string, port: Json, number: number) => {
    const key = `${kind}/${textAt(port, 'protocol')}/${number}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
  const nodePorts = validateItems(ports, 'spec.ports', (port, field) => {
    const nodePort = numberAt(port, 'nodePort');
    if (nodePort === 0 || !repeated('node', port, nodePort)) return [];
    return [fieldError.duplicate(`${field}.nodePort`, nodePort)];
  });
  const numbers = validateItems(ports, 'spec.ports', (port, field) => {
    const number = numberAt(port, 'port');
    if (!repeated('port', port, number)) return [];
    return [fieldError.duplicate(field, { protocol: textAt(port, 'protocol'), port: number })];
  });
  return [...nodePorts, ...numbers];
}

function validateBalancer(service: ApiObject, spec: Json | undefined): FieldError[] {
  const balanced = textAt(spec, 'type') === 'LoadBalancer';
  const found = validateSourceRanges(service, balanced);
  const allocate = at(spec, 'allocateLoadBalancerNodePorts');
  if (typeof allocate === 'boolean' && !balanced) {
    found.push(fieldError.forbidden('spec.allocateLoadBalancerNodePorts', ONLY_BALANCERS));
  }
  if (typeof allocate !== 'boolean' && balanced) {
    found.push(fieldError.required('spec.allocateLoadBalancerNodePorts'));
  }
  return [...found, ...validateBalancerClass(spec, balanced)];
}

function validateBalancerClass(spec: Json | undefined, balanced: boolean): FieldError[] {
  const balancerClass = at(spec, 'loadBalancerClass');
  if (typeof balancerClass !== 'string') return [];
  const field = 'spec.loadBalancerClass';
  if (!balanced) return [fieldError.forbidden(field, ONLY_BALANCERS)];
  return faultErrors(qualifiedNameFaults(balancerClass), balancerClass, field);
}

/** The ranges stand in a field or, in the older form, in an annotation. The field's name is written as Go names it. */
function validateSourceRanges({ spec, metadata }: ApiObject, balanced: boolean): FieldError[] {
  const ranges = listAt(spec, 'loadBalancerSourceRanges');
  const annotation = metadata.annotations?.[SOURCE_RANGES];
  if (ranges.length > 0) {
    const field = 'spec.LoadBalancerSourceRanges';
    return [
      ...(balanced ? [] : [fieldError.forbidden(field, ONLY_BALANCERS)]),
      ...validateItems(ranges, field, (range, at) => validateCidr(String(range).trim(), at)),
    ];
  }
  if (annotation === undefined) return [];
  const field = `metadata.annotations[${SOURCE_RANGES}]`;
  if (!balanced) return [fieldError.forbidden(field, ONLY_BALANCERS)];
  if (annotation.trim() === '') return [];
  return annotation.split(',').flatMap((range) => validateCidr(range.trim(), field));
}

function validateTraffic(spec: Json | undefined, { gateEnabled }: Rules): FieldError[] {
  const found: FieldError[] = [];
  const external = textAt(spec, 'externalTrafficPolicy');
  if (!isReachedFromOutside(spec)) {
    if (external !== '') {
      const why = 'may only be set for externally-accessible services';
      found.push(fieldError.invalid('spec.externalTrafficPolicy', external, why));
    }
  } else if (external === '') found.push(fieldError.required('spec.externalTrafficPolicy'));
  else found.push(...validateChoice(external, ['Cluster', 'Local'], 'spec.externalTrafficPolicy'));
  found.push(...validateHealthCheckPort(spec));
  const internal = at(spec, 'internalTrafficPolicy');
  if (typeof internal === 'string') {
    found.push(...validateChoice(internal, ['Cluster', 'Local'], 'spec.internalTrafficPolicy'));
  } else if (textAt(spec, 'type') !== 'ExternalName' && TYPES.includes(textAt(spec, 'type'))) {
    found.push(fieldError.required('spec.internalTrafficPolicy'));
  }
  const distribution = at(spec, 'trafficDistribution');
  if (typeof distribution !== 'string') return found;
  const newer = gateEnabled('PreferSameTrafficDistribution') ? ['PreferSameZone', 'PreferSameNode'] : [];
  const supported = ['PreferClose', ...newer];
  return [...found, ...validateChoice(distribution, supported, 'spec.trafficDistribution')];
}

function validateHealthCheckPort(spec: Json | undefined): FieldError[] {
  const port = numberAt(spec, 'healthCheckNodePort');
  const field = 'spec.healthCheckNodePort';
  if (needsHealthCheckPort(spec)) {
    return port === 0 ? [fieldError.required(field)] : validatePortNumber(port, field);
  }
  if (port === 0) return [];
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldError.invalid(field, port, why)];
}

function validateServiceUpdate(next: ApiObject, previous: ApiObject): FieldError[] {
  const found = validateServiceAddressesUpdate(next, previous);
  const [nextClass, previousClass] = [next, previous].map((each) => at(each, 'spec', 'loadBalancerClass') ?? null);
  const bothBalanced = [next, previous].every((each) => textAt(each, 'spec', 'type') === 'LoadBalancer');
  if (bothBalanced && nextClass !== previousClass) {
    found.push(fieldError.invalid('spec.loadBalancerClass', nextClass, 'may not change once set'));
  }
  // Told again with the rest of the service.
  found.push(...validateBalancerClass(next['spec'], textAt(next, 'spec', 'type') === 'LoadBalancer'));
  const [nextPort, previousPort] = [next, previous].map((each) => numberAt(each, 'spec', 'healthCheckNodePort'));
  const bothChecked = [next, previous].every((each) => needsHealthCheckPort(at(each, 'spec')));
  if (bothChecked && nextPort !== previousPort) {
    found.push(fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable'));
  }
  return found;
}

function validateServiceStatus(service: ApiObject): FieldError[] {
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress');
  const field = 'status.loadBalancer.ingress';
  if (ingress.length > 0 && textAt(service, 'spec', 'type') !== 'LoadBalancer') {
    return [fieldError.forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return validateItems(ingress, field, validateIngressPoint);
}

function validateIngressPoint(point: Json, field: string): FieldError[] {
  const ip = textAt(point, 'ip');
  const mode = at(point, 'ipMode');
  const found = ip === '' ? [] : validateIp(ip, `${field}.ip`);
  if (typeof mode !== 'string') {
    if (ip !== '') found.push(fieldError.required(`${field}.ipMode`, 'must be specified when `ip` is set'));
  } else if (ip === '') {
    found.push(fieldError.forbidden(`${field}.ipMode`, 'may not be specified when `ip` is not set'));
  } else found.push(...validateChoice(mode, ['Proxy', 'VIP'], `${field}.ipMode`));
  return [...found, ...validateBalancerHostname(textAt(point, 'hostname'), `${field}.hostname`)];
}

/** A host name of a load balancer, if there is one. */
export function validateBalancerHostname(hostname: string, field: string): FieldError[] {
  if (hostname === '') return [];
  const found = faultErrors(subdomainFaults(hostname), hostname, field);
  if (parseIp(hostname) === undefined) return found;
  return [...found, fieldError.invalid(field, hostname, 'must be a DNS name, not an IP address')];
}

function serviceWarnings(service: ApiObject): string[] {
  const spec = at(service, 'spec') as JsonObject | undefined;
  const externalIps = listAt(spec, 'externalIPs');
  const found: string[] = [];
  if (service.metadata.annotations?.[HINTS] !== undefined) {
    found.push(`annotation ${HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`);
  }
  if (textAt(spec, 'clusterIP') !== '' && !isHeadless(spec)) {
    found.push(
      ...listAt(spec, 'clusterIPs').flatMap((ip, index) => ipWarnings(String(ip), `spec.clusterIPs[${index}]`)),
    );
  }
  if (isHeadless(spec)) {
    if (textAt(spec, 'loadBalancerIP') !== '') found.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIps.length > 0) found.push('spec.externalIPs is ignored for headless services');
    if (textAt(spec, 'sessionAffinity') !== 'None') {
      found.push('spec.SessionAffinity is ignored for headless services');
    }
  }
  found.push(...externalIps.flatMap((ip, index) => ipWarnings(String(ip), `spec.externalIPs[${index}]`)));
  for (const [index, range] of listAt(spec, 'loadBalancerSourceRanges').entries()) {
    found.push(...cidrWarnings(String(range), `spec.loadBalancerSourceRanges[${index}]`));
  }
  if (textAt(spec, 'type') === 'ExternalName' && externalIps.length > 0) {
    found.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (textAt(spec, 'type') !== 'ExternalName' && textAt(spec, 'externalName') !== '') {
    found.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  return found;
}

export const serviceRules: Partial<Behaviour> = {
  prepareForUpdate: dropTypeDependent,
  validateCreate: validateService,
  // What changed is told first.
  validateUpdate: (next, previous, rules) => [
    ...validateServiceUpdate(next, previous),
    ...validateService(next, rules),
  ],
  validateStatusUpdate: validateServiceStatus,
  warnings: serviceWarnings,
  warnsOfStatus: true,
};
