// Validation of Services, except for their cluster IPs (addresses.ts) and node ports (their allocator).

import { type FieldError, fieldError } from '../../../../api/errors.ts';
import { IMMUTABLE, validateLabels } from '../../../../api/metadata-validation.ts';
import {
  generateNameFaults,
  labelFaults,
  nameFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from '../../../../api/names.ts';
import { goQuote } from '../../../../base/go-quote.ts';
import { overItems, remembering } from '../../../../base/resumed.ts';
import { isSince } from '../../../../lifecycle/version.ts';
import type { KindRules, StrategyContext } from '../../../definition.ts';
import { faultErrors, validateChoice, validateItems } from '../../../validation/field-rules.ts';
import { inGoForm, SERVICE_PORT } from '../../../validation/go-form.ts';
import {
  cidrWarnings,
  ipWarnings,
  type LegacyAddresses,
  legacyAddresses,
  parseIp,
  validateEndpointIp,
} from '../../../validation/ip-addresses.ts';
import {
  PROTOCOLS,
  validatePortNumber,
  validatePortNumberOrName,
  validateProtocol,
} from '../../../validation/port-rules.ts';
import { validateServiceAddresses, validateServiceAddressesUpdate } from './addresses.ts';
import type { LoadBalancerIngress, Service, ServicePort, ServiceSpec } from './objects.ts';
import { isHeadless, isReachedFromOutside, needsHealthCheckPort } from './service-type.ts';
import { ONLY_BALANCERS, validateSourceRanges } from './source-ranges.ts';
import { dropTypeDependent } from './type-change.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const KUBELET_PORT = 10_250;
const MAX_AFFINITY_SECONDS = 86_400;
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const TOPOLOGY_MODE = 'service.kubernetes.io/topology-mode';

type Rules = Pick<StrategyContext, 'gateEnabled'>;

function validateService(service: Service, rules: Rules, previous?: Service): FieldError[] {
  const spec = service?.spec;
  const ports = spec?.ports ?? [];
  const external = legacyAddresses(rules, previous?.spec?.externalIPs);
  return [
    ...validateTopologyAnnotations(service),
    ...validateOfType(service, spec, ports),
    ...validatePorts(ports),
    ...validateLabels(spec?.selector as Record<string, string> | undefined, 'spec.selector'),
    ...validateAffinity(spec),
    ...validateServiceAddresses(spec, previous?.spec, rules),
    ...validateItems(spec?.externalIPs ?? [], 'spec.externalIPs', (ip, field) => {
      const found = external.ip(String(ip), field);
      return found.length > 0 ? found : validateEndpointIp(String(ip), field);
    }),
    ...validateType(spec, ports),
    ...validateNoPortTwice(ports),
    ...validateBalancer(service, rules, previous),
    ...validateTraffic(spec, rules),
  ];
}

function validateTopologyAnnotations({ metadata }: Service): FieldError[] {
  const hints = metadata.annotations?.[HINTS];
  const mode = metadata.annotations?.[TOPOLOGY_MODE];
  if (hints === undefined || mode === undefined || hints === mode) return [];
  const why = `must match annotations[${HINTS}] when both are specified`;
  return [fieldError.invalid(`metadata.annotations[${TOPOLOGY_MODE}]`, mode, why)];
}

function validateOfType(service: Service, spec: ServiceSpec | undefined, ports: readonly ServicePort[]): FieldError[] {
  const type = spec?.type ?? '';
  const found: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') found.push(fieldError.required('spec.ports'));
  if (type === 'ExternalName') return [...found, ...validateExternalName(service)];
  if (type === 'LoadBalancer') {
    for (const [index, port] of ports.entries()) {
      if ((port.port ?? 0) !== KUBELET_PORT) continue;
      const why = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`;
      found.push(fieldError.invalid(`spec.ports[${index}]`, KUBELET_PORT, why));
    }
  }
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    found.push(fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  return found;
}

function validateExternalName({ spec }: Service): FieldError[] {
  const found: FieldError[] = [];
  for (const member of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    const given = spec?.[member] ?? [];
    if (Array.isArray(given) && given.length === 0) continue;
    found.push(fieldError.forbidden(`spec.${member}`, 'may not be set for ExternalName services'));
  }
  const name = (spec?.externalName ?? '').replace(/\.$/, '');
  if (name === '') found.push(fieldError.required('spec.externalName'));
  else found.push(...faultErrors(subdomainFaults(name), name, 'spec.externalName'));
  return found;
}

function validatePorts(ports: readonly ServicePort[]): FieldError[] {
  return remembering(
    () => new Set<string>(),
    (names) =>
      validateItems(ports, 'spec.ports', (port, field) => {
        const found: FieldError[] = [];
        const name = port.name ?? '';
        if (name !== '') {
          found.push(...faultErrors(labelFaults(name), name, `${field}.name`));
          if (names.has(name)) found.push(fieldError.duplicate(`${field}.name`, name));
          names.add(name);
        } else if (ports.length > 1) found.push(fieldError.required(`${field}.name`));
        const appProtocol = port.appProtocol;
        found.push(
          ...validatePortNumber(port.port ?? 0, `${field}.port`),
          ...validateProtocol(port.protocol ?? '', PROTOCOLS, `${field}.protocol`),
          ...validatePortNumberOrName(port.targetPort, `${field}.targetPort`),
        );
        if (typeof appProtocol === 'string') {
          found.push(...faultErrors(qualifiedNameFaults(appProtocol), appProtocol, `${field}.appProtocol`));
        }
        return found;
      }),
  );
}

function validateAffinity(spec: ServiceSpec | undefined): FieldError[] {
  const affinity = spec?.sessionAffinity ?? '';
  const config = spec?.sessionAffinityConfig;
  const field = 'spec.sessionAffinityConfig';
  if (affinity === '') return [fieldError.required('spec.sessionAffinity')];
  if (affinity === 'None') {
    return config !== undefined ? [fieldError.forbidden(field, 'must not be set when session affinity is None')] : [];
  }
  if (affinity !== 'ClientIP') return [fieldError.notSupported('spec.sessionAffinity', affinity, ['ClientIP', 'None'])];
  const seconds = config?.clientIP?.timeoutSeconds;
  if (typeof seconds !== 'number') {
    const missing =
      config === undefined ? '' : config.clientIP !== undefined ? '.clientIP.timeoutSeconds' : '.clientIP';
    return [fieldError.required(`${field}${missing}`, 'when session affinity type is ClientIP')];
  }
  if (seconds > 0 && seconds <= MAX_AFFINITY_SECONDS) return [];
  const why = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
  return [fieldError.invalid(`${field}.clientIP.timeoutSeconds`, seconds, why)];
}

function validateType(spec: ServiceSpec | undefined, ports: readonly ServicePort[]): FieldError[] {
  const type = spec?.type ?? '';
  if (type === '') return [fieldError.required('spec.type')];
  if (type !== 'ClusterIP') return validateChoice(type, TYPES, 'spec.type');
  return validateItems(ports, 'spec.ports', (port, field) =>
    (port.nodePort ?? 0) === 0
      ? []
      : [fieldError.forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function validateNoPortTwice(ports: readonly ServicePort[]): FieldError[] {
  const isRepeated = (seen: Set<string>, { protocol = '' }: ServicePort, number: number) => {
    const key = `${protocol}/${number}`;
    return seen.size === seen.add(key).size;
  };
  const make = () => ({ nodePorts: new Set<string>(), numbers: new Set<string>() });
  return remembering(make, (seen) => [
    ...validateItems(ports, 'spec.ports', (port, field) => {
      const nodePort = port.nodePort ?? 0;
      if (nodePort === 0 || !isRepeated(seen.nodePorts, port, nodePort)) return [];
      return [fieldError.duplicate(`${field}.nodePort`, nodePort)];
    }),
    ...validateItems(ports, 'spec.ports', (port, field) => {
      const number = port.port ?? 0;
      if (!isRepeated(seen.numbers, port, number)) return [];
      return [fieldError.duplicate(field, inGoForm({ protocol: port.protocol ?? '', port: number }, SERVICE_PORT))];
    }),
  ]);
}

function validateBalancer(service: Service, rules: Rules, previous: Service | undefined): FieldError[] {
  const { spec } = service;
  const balanced = (spec?.type ?? '') === 'LoadBalancer';
  const found = validateSourceRanges(service, rules, previous);
  const allocate = spec?.allocateLoadBalancerNodePorts;
  if (typeof allocate === 'boolean' && !balanced) {
    found.push(fieldError.forbidden('spec.allocateLoadBalancerNodePorts', ONLY_BALANCERS));
  }
  if (typeof allocate !== 'boolean' && balanced) {
    found.push(fieldError.required('spec.allocateLoadBalancerNodePorts'));
  }
  return [...found, ...validateBalancerClass(spec, balanced)];
}

function validateBalancerClass(spec: ServiceSpec | undefined, balanced: boolean): FieldError[] {
  const balancerClass = spec?.loadBalancerClass;
  if (typeof balancerClass !== 'string') return [];
  const field = 'spec.loadBalancerClass';
  if (!balanced) return [fieldError.forbidden(field, ONLY_BALANCERS)];
  return faultErrors(qualifiedNameFaults(balancerClass), balancerClass, field);
}

function validateTraffic(spec: ServiceSpec | undefined, { gateEnabled }: Rules): FieldError[] {
  const found: FieldError[] = [];
  const external = spec?.externalTrafficPolicy ?? '';
  if (!isReachedFromOutside(spec)) {
    if (external !== '') {
      const why = 'may only be set for externally-accessible services';
      found.push(fieldError.invalid('spec.externalTrafficPolicy', external, why));
    }
  } else if (external === '') found.push(fieldError.required('spec.externalTrafficPolicy'));
  else found.push(...validateChoice(external, ['Cluster', 'Local'], 'spec.externalTrafficPolicy'));
  found.push(...validateHealthCheckPort(spec));
  const internal = spec?.internalTrafficPolicy;
  if (typeof internal === 'string') {
    found.push(...validateChoice(internal, ['Cluster', 'Local'], 'spec.internalTrafficPolicy'));
  } else if ((spec?.type ?? '') !== 'ExternalName' && TYPES.includes(spec?.type ?? '')) {
    found.push(fieldError.required('spec.internalTrafficPolicy'));
  }
  const distribution = spec?.trafficDistribution;
  if (typeof distribution !== 'string') return found;
  const newer = gateEnabled('PreferSameTrafficDistribution') ? ['PreferSameZone', 'PreferSameNode'] : [];
  const supported = ['PreferClose', ...newer];
  return [...found, ...validateChoice(distribution, supported, 'spec.trafficDistribution')];
}

function validateHealthCheckPort(spec: ServiceSpec | undefined): FieldError[] {
  const port = spec?.healthCheckNodePort ?? 0;
  const field = 'spec.healthCheckNodePort';
  if (needsHealthCheckPort(spec)) {
    return port === 0 ? [fieldError.required(field)] : validatePortNumber(port, field);
  }
  if (port === 0) return [];
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [fieldError.invalid(field, port, why)];
}

function validateServiceUpdate(next: Service, previous: Service): FieldError[] {
  const found = validateServiceAddressesUpdate(next, previous);
  const [nextClass, previousClass] = [next, previous].map((each) => each.spec?.loadBalancerClass ?? null);
  const bothBalanced = [next, previous].every((each) => (each.spec?.type ?? '') === 'LoadBalancer');
  if (bothBalanced && nextClass !== previousClass) {
    found.push(fieldError.invalid('spec.loadBalancerClass', nextClass, 'may not change once set'));
  }
  // Reported again with the rest of the service.
  found.push(...validateBalancerClass(next['spec'], (next.spec?.type ?? '') === 'LoadBalancer'));
  const [nextPort, previousPort] = [next, previous].map((each) => each.spec?.healthCheckNodePort ?? 0);
  const bothChecked = [next, previous].every((each) => needsHealthCheckPort(each.spec));
  if (bothChecked && nextPort !== previousPort) {
    found.push(fieldError.forbidden('spec.healthCheckNodePort', IMMUTABLE));
  }
  return found;
}

function validateServiceStatus(service: Service, previous: Service, rules: Rules): FieldError[] {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const field = 'status.loadBalancer.ingress';
  const isAllowed = (service.spec?.type ?? '') === 'LoadBalancer' || rules.gateEnabled('AllowServiceLBStatusOnNonLB');
  if (ingress.length > 0 && !isAllowed) {
    return [fieldError.forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const needsMode = rules.gateEnabled('LoadBalancerIPMode');
  const known = (previous.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
  const legacy = legacyAddresses(rules, known);
  return validateItems(ingress, field, (point, at) => validateIngressPoint(point, { legacy, needsMode }, at));
}

interface IngressRules {
  readonly legacy: LegacyAddresses;
  /** Whether an address needs a mode. */
  readonly needsMode: boolean;
}

function validateIngressPoint(
  point: LoadBalancerIngress,
  { legacy, needsMode }: IngressRules,
  field: string,
): FieldError[] {
  const ip = point.ip ?? '';
  const mode = point.ipMode;
  const found = ip === '' ? [] : legacy.ip(ip, `${field}.ip`);
  if (typeof mode !== 'string') {
    if (ip !== '' && needsMode) {
      found.push(fieldError.required(`${field}.ipMode`, 'must be specified when `ip` is set'));
    }
  } else if (ip === '') {
    found.push(fieldError.forbidden(`${field}.ipMode`, 'may not be specified when `ip` is not set'));
  } else found.push(...validateChoice(mode, ['Proxy', 'VIP'], `${field}.ipMode`));
  return [...found, ...validateBalancerHostname(point.hostname ?? '', `${field}.hostname`)];
}

/** The optional host name of a load balancer. */
export function validateBalancerHostname(hostname: string, field: string): FieldError[] {
  if (hostname === '') return [];
  const found = faultErrors(subdomainFaults(hostname), hostname, field);
  if (parseIp(hostname) === undefined) return found;
  return [...found, fieldError.invalid(field, hostname, 'must be a DNS name, not an IP address')];
}

/** What is warned of in the addresses of a load balancer: the item is named, not its address. */
export function balancerWarnings(status: { loadBalancer?: { ingress?: readonly { ip?: string }[] } } = {}): string[] {
  const points = status.loadBalancer?.ingress ?? [];
  return points.flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.loadBalancer.ingress[${index}]`));
}

function serviceWarnings(service: Service, _previous: Service | undefined, context: StrategyContext): string[] {
  const { spec } = service;
  const externalIps = spec?.externalIPs ?? [];
  const found: string[] = [];
  if (service.metadata.annotations?.[HINTS] !== undefined) {
    found.push(`annotation ${HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`);
  }
  if ((spec?.clusterIP ?? '') !== '' && !isHeadless(spec)) {
    found.push(...(spec?.clusterIPs ?? []).flatMap((ip, index) => ipWarnings(ip, `spec.clusterIPs[${index}]`)));
  }
  if (isHeadless(spec)) {
    if ((spec?.loadBalancerIP ?? '') !== '') found.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIps.length > 0) found.push('spec.externalIPs is ignored for headless services');
    if ((spec?.sessionAffinity ?? '') !== 'None') {
      found.push('spec.SessionAffinity is ignored for headless services');
    }
  }
  for (const each of overItems(externalIps, (ip, index) => ipWarnings(ip, `spec.externalIPs[${index}]`)))
    found.push(each);
  if (isSince(context, 36) && externalIps.length > 0 && !isHeadless(spec) && spec?.type !== 'ExternalName') {
    found.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  found.push(...ipWarnings(spec?.loadBalancerIP ?? '', 'spec.loadBalancerIP'));
  const ranges = spec?.loadBalancerSourceRanges ?? [];
  const ofRanges = overItems(ranges, (range, index) => {
    const field = `spec.loadBalancerSourceRanges[${index}]`;
    return isSince(context, 33)
      ? cidrWarnings(range, field)
      : [...spacedRangeWarnings(range, field), ...cidrWarnings(range, field)];
  });
  for (const each of ofRanges) found.push(each);
  if ((spec?.type ?? '') === 'ExternalName' && externalIps.length > 0) {
    found.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if ((spec?.type ?? '') !== 'ExternalName' && (spec?.externalName ?? '') !== '') {
    found.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (isSince(context, 35) && spec?.trafficDistribution === 'PreferClose') {
    found.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return found;
}

/** Warnings of releases before 1.33 about a range that has spaces around it, in the words of Go's parser. */
function spacedRangeWarnings(range: string, field: string): string[] {
  const trimmed = range.trim();
  if (range === trimmed) return [];
  const slash = range.lastIndexOf('/');
  const address = range.slice(0, slash);
  const quoted = goQuote(address);
  const fault = address.includes(':')
    ? `each colon-separated field must have at least one digit (at ${quoted})`
    : `unexpected character (at ${quoted})`;
  const why =
    address === address.trim()
      ? `bad bits after slash: ${goQuote(range.slice(slash + 1))}`
      : `ParseAddr(${quoted}): ${fault}`;
  return [
    `${field}: IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix(${goQuote(range)}): ${why}`,
  ];
}

export const serviceRules: KindRules<Service> = {
  nameRule: {
    faults: (text, isPrefix, { gateEnabled }) => {
      const rule = gateEnabled('RelaxedServiceNameValidation') ? 'label' : 'label1035';
      return isPrefix ? generateNameFaults(rule, text) : nameFaults(rule, text);
    },
  },
  prepareForUpdate: dropTypeDependent,
  validateCreate: validateService,
  // Errors of changes are reported first.
  validateUpdate: (next, previous, rules) => [
    ...validateServiceUpdate(next, previous),
    ...validateService(next, rules, previous),
  ],
  subresources: {
    status: { validateUpdate: validateServiceStatus, warnings: ({ status }) => balancerWarnings(status) },
  },
  warnings: serviceWarnings,
};
