// Validation of Ingresses and IngressClasses.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { label1035Faults, labelFaults, pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules, StrategyContext } from '../../definition.ts';
import {
  faultErrors,
  validateChoice,
  validateImmutableText,
  validateItems,
  validateMostBytes,
} from '../../validation/field-rules.ts';
import { validateDomainPrefixedPath, wildcardFaults } from '../../validation/hosts.ts';
import { legacyAddresses, parseIp } from '../../validation/ip-addresses.ts';
import { portNameFaults, validatePortNumber } from '../../validation/port-rules.ts';
import { textAt } from '../../value.ts';
import type { TypedLocalObjectReference } from '../core/reference-objects.ts';
import { balancerWarnings, validateBalancerHostname } from '../core/service/validation.ts';
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressClass,
  IngressClassParametersReference,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from './v1-objects.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const CONTROLLER_BYTES = 250;
const NOT_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const NOT_AT_ENDS = ['/..', '/.'];

type Rules = Pick<StrategyContext, 'gateEnabled'>;

function validateIngress({ spec }: Ingress, rules: Rules): FieldError[] {
  const routes = spec?.rules ?? null;
  const backend = spec?.defaultBackend;
  const found: FieldError[] = [];
  if ((spec?.rules ?? []).length === 0 && backend === undefined) {
    found.push(fieldError.invalid('spec', routes, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (backend !== undefined) found.push(...validateBackend(backend, 'spec.defaultBackend', rules));
  found.push(
    ...validateItems(spec?.rules ?? [], 'spec.rules', (rule, at) => validateRule(rule, at, rules)),
    ...validateItems(spec?.tls ?? [], 'spec.tls', validateTls),
  );
  const ingressClass = spec?.ingressClassName;
  if (typeof ingressClass !== 'string') return found;
  return [...found, ...faultErrors(subdomainFaults(ingressClass), ingressClass, 'spec.ingressClassName')];
}

function validateRule(rule: IngressRule, field: string, rules: Rules): FieldError[] {
  const host = rule?.host ?? '';
  const found: FieldError[] = [];
  if (host !== '') {
    if (parseIp(host) !== undefined) {
      found.push(fieldError.invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    }
    found.push(...faultErrors(hostFaults(host), host, `${field}.host`));
  }
  const http = rule.http;
  if (http === undefined) return found;
  const paths = http.paths ?? [];
  if (paths.length === 0) return [...found, fieldError.required(`${field}.http.paths`)];
  return [...found, ...validateItems(paths, `${field}.http.paths`, (path, at) => validatePath(path, at, rules))];
}

function hostFaults(host: string): readonly string[] {
  return host.includes('*') ? wildcardFaults(host) : subdomainFaults(host);
}

function validatePath(entry: HTTPIngressPath, field: string, rules: Rules): FieldError[] {
  const path = entry?.path ?? '';
  const type = entry?.pathType;
  if (typeof type !== 'string') return [fieldError.required(`${field}.pathType`, 'pathType must be specified')];
  return [...validatePathOfType(path, type, field), ...validateBackend(entry?.backend, `${field}.backend`, rules)];
}

function validatePathOfType(path: string, type: string, field: string): FieldError[] {
  const here = `${field}.path`;
  const absolute = path.startsWith('/');
  switch (type) {
    case 'Exact':
    case 'Prefix':
      return [
        ...(absolute ? [] : ['must be an absolute path']),
        ...NOT_IN_PATHS.filter((each) => path.includes(each)).map((each) => `must not contain '${each}'`),
        ...NOT_AT_ENDS.filter((each) => path.endsWith(each)).map((each) => `cannot end with '${each}'`),
      ].map((why) => fieldError.invalid(here, path, why));
    case 'ImplementationSpecific':
      return path === '' || absolute ? [] : [fieldError.invalid(here, path, 'must be an absolute path')];
    default:
      return validateChoice(type, ['Exact', 'ImplementationSpecific', 'Prefix'], `${field}.pathType`);
  }
}

function validateBackend(backend: IngressBackend | undefined, field: string, rules: Rules): FieldError[] {
  const service = backend?.service;
  const resource = backend?.resource;
  if (resource !== undefined) {
    if (service === undefined) return validateTypedReference(resource, `${field}.resource`);
    return [fieldError.invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (service === undefined) return [fieldError.invalid(field, '', 'resource or service backend is required')];
  const name = service.name ?? '';
  const nameField = `${field}.service.name`;
  const faults = rules.gateEnabled('RelaxedServiceNameValidation') ? labelFaults(name) : label1035Faults(name);
  return [
    ...(name === '' ? [fieldError.required(nameField)] : faultErrors(faults, name, nameField)),
    ...validateBackendPort(service, field),
  ];
}

function validateBackendPort(service: IngressServiceBackend, field: string): FieldError[] {
  const name = service.port?.name ?? '';
  const number = service.port?.number ?? 0;
  if (name !== '' && number !== 0) return [fieldError.invalid(field, '', 'cannot set both port name & port number')];
  if (name !== '') return faultErrors(portNameFaults(name), name, `${field}.service.port.name`);
  if (number !== 0) return validatePortNumber(number, `${field}.service.port.number`);
  return [fieldError.required(field, 'port name or number is required')];
}

/** A reference to an object in the same namespace. */
function validateTypedReference(reference: TypedLocalObjectReference, field: string): FieldError[] {
  const group = reference.apiGroup;
  const found = typeof group === 'string' ? faultErrors(subdomainFaults(group), group, `${field}.apiGroup`) : [];
  for (const member of ['kind', 'name']) {
    const text = textAt(reference, member);
    const here = `${field}.${member}`;
    if (text === '') found.push(fieldError.required(here));
    else found.push(...faultErrors(pathSegmentFaults(text), text, here));
  }
  return found;
}

function validateTls(tls: IngressTLS, field: string): FieldError[] {
  const secret = tls.secretName ?? '';
  return [
    ...validateItems(tls.hosts ?? [], `${field}.hosts`, (host, here) =>
      faultErrors(hostFaults(String(host)), host, here),
    ),
    ...(secret === '' ? [] : faultErrors(subdomainFaults(secret), secret, `${field}.secretName`)),
  ];
}

/** The class is in a field or, formerly, in an annotation; both must agree. */
function validateClassAnnotation({ metadata, spec }: Ingress): FieldError[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  const ingressClass = spec?.ingressClassName;
  if (annotation === undefined || typeof ingressClass !== 'string' || annotation === ingressClass) return [];
  const why = 'must match `ingressClassName` when both are specified';
  return [fieldError.invalid(`annotations.${CLASS_ANNOTATION}`, annotation, why)];
}

function validateStatus(ingress: Ingress, previous: Ingress, rules: StrategyContext): FieldError[] {
  const known = (previous.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
  const legacy = legacyAddresses(rules, known);
  return validateItems(ingress.status?.loadBalancer?.ingress ?? [], 'status.loadBalancer.ingress', (point, field) => {
    const ip = point.ip ?? '';
    return [
      ...(ip === '' ? [] : legacy.ip(ip, `${field}.ip`)),
      ...validateBalancerHostname(point.hostname ?? '', `${field}.hostname`),
    ];
  });
}

export const ingressRules: KindRules<Ingress> = {
  checks: { update: ['metadataChange', 'metadata', 'content'] },
  validate: validateIngress,
  validateCreate: validateClassAnnotation,
  subresources: { status: { validateUpdate: validateStatus, warnings: ({ status }) => balancerWarnings(status) } },
  warnings: ({ metadata, spec }, previous) =>
    previous !== undefined ||
    metadata.annotations?.[CLASS_ANNOTATION] === undefined ||
    spec?.ingressClassName !== undefined
      ? []
      : [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`],
};

function validateIngressClass({ spec }: IngressClass): FieldError[] {
  const controller = spec?.controller ?? '';
  const parameters = spec?.parameters;
  return [
    ...validateMostBytes(controller, CONTROLLER_BYTES, 'spec.controller'),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(parameters !== undefined ? validateParameters(parameters, 'spec.parameters') : []),
  ];
}

function validateParameters(parameters: IngressClassParametersReference, field: string): FieldError[] {
  const scope = parameters.scope;
  const namespace = parameters.namespace;
  const here = `${field}.namespace`;
  const found = validateTypedReference(parameters, field);
  if (typeof scope !== 'string') return [...found, fieldError.required(`${field}.scope`)];
  found.push(...validateChoice(scope, ['Cluster', 'Namespace'], `${field}.scope`));
  if (scope === 'Namespace') {
    if (typeof namespace !== 'string') {
      found.push(fieldError.required(here, "`parameters.scope` is set to 'Namespace'"));
    } else found.push(...faultErrors(labelFaults(namespace), namespace, here));
  } else if (scope === 'Cluster' && typeof namespace === 'string') {
    found.push(fieldError.forbidden(here, "`parameters.scope` is set to 'Cluster'"));
  }
  return found;
}

export const ingressClassRules: KindRules<IngressClass> = {
  checks: { update: ['metadataChange', 'change', 'metadata', 'content'] },
  validate: validateIngressClass,
  validateUpdate: (next, previous) =>
    validateImmutableText(next.spec?.controller, previous.spec?.controller, 'spec.controller'),
};
