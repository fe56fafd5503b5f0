// The rules of ingresses and ingress classes.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { label1035Faults, labelFaults, pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour, BehaviourContext } from '../../definition.ts';
import {
  faultErrors,
  validateChoice,
  validateImmutableText,
  validateItems,
  validateMostBytes,
} from '../../validation/field-rules.ts';
import { validateDomainPrefixedPath, wildcardFaults } from '../../validation/hosts.ts';
import { parseIp, validateIp } from '../../validation/ip-addresses.ts';
import { portNameFaults, validatePortNumber } from '../../validation/port-rules.ts';
import { at, isObject, listAt, numberAt, textAt } from '../../value.ts';
import { validateBalancerHostname } from '../core/service/validation.ts';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';
const CONTROLLER_BYTES = 250;
const NOT_IN_PATHS = ['//', '/./', '/../', '%2f', '%2F'];
const NOT_AT_ENDS = ['/..', '/.'];

type Rules = Pick<BehaviourContext, 'gateEnabled'>;

function validateIngress({ spec }: ApiObject, rules: Rules): FieldError[] {
  const routes = at(spec, 'rules') ?? null;
  const backend = at(spec, 'defaultBackend');
  const found: FieldError[] = [];
  if (listAt(spec, 'rules').length === 0 && !isObject(backend)) {
    found.push(fieldError.invalid('spec', routes, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (isObject(backend)) found.push(...validateBackend(backend, 'spec.defaultBackend', rules));
  found.push(
    ...validateItems(listAt(spec, 'rules'), 'spec.rules', (rule, at) => validateRule(rule, at, rules)),
    ...validateItems(listAt(spec, 'tls'), 'spec.tls', validateTls),
  );
  const ingressClass = at(spec, 'ingressClassName');
  if (typeof ingressClass !== 'string') return found;
  return [...found, ...faultErrors(subdomainFaults(ingressClass), ingressClass, 'spec.ingressClassName')];
}

function validateRule(rule: Json, field: string, rules: Rules): FieldError[] {
  const host = textAt(rule, 'host');
  const found: FieldError[] = [];
  if (host !== '') {
    if (parseIp(host) !== undefined) {
      found.push(fieldError.invalid(`${field}.host`, host, 'must be a DNS name, not an IP address'));
    }
    found.push(...faultErrors(hostFaults(host), host, `${field}.host`));
  }
  const http = at(rule, 'http');
  if (!isObject(http)) return found;
  const paths = listAt(http, 'paths');
  if (paths.length === 0) return [...found, fieldError.required(`${field}.http.paths`)];
  return [...found, ...validateItems(paths, `${field}.http.paths`, (path, at) => validatePath(path, at, rules))];
}

function hostFaults(host: string): readonly string[] {
  return host.includes('*') ? wildcardFaults(host) : subdomainFaults(host);
}

function validatePath(entry: Json, field: string, rules: Rules): FieldError[] {
  const path = textAt(entry, 'path');
  const type = at(entry, 'pathType');
  if (typeof type !== 'string') return [fieldError.required(`${field}.pathType`, 'pathType must be specified')];
  return [
    ...validatePathOfType(path, type, field),
    ...validateBackend(at(entry, 'backend'), `${field}.backend`, rules),
  ];
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

function validateBackend(backend: Json | undefined, field: string, rules: Rules): FieldError[] {
  const service = at(backend, 'service');
  const resource = at(backend, 'resource');
  if (isObject(resource)) {
    if (!isObject(service)) return validateTypedReference(resource, `${field}.resource`);
    return [fieldError.invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (!isObject(service)) return [fieldError.invalid(field, '', 'resource or service backend is required')];
  const name = textAt(service, 'name');
  const nameField = `${field}.service.name`;
  const faults = rules.gateEnabled('RelaxedServiceNameValidation') ? labelFaults(name) : label1035Faults(name);
  return [
    ...(name === '' ? [fieldError.required(nameField)] : faultErrors(faults, name, nameField)),
    ...validateBackendPort(service, field),
  ];
}

function validateBackendPort(service: Json, field: string): FieldError[] {
  const name = textAt(service, 'port', 'name');
  const number = numberAt(service, 'port', 'number');
  if (name !== '' && number !== 0) return [fieldError.invalid(field, '', 'cannot set both port name & port number')];
  if (name !== '') return faultErrors(portNameFaults(name), name, `${field}.service.port.name`);
  if (number !== 0) return validatePortNumber(number, `${field}.service.port.number`);
  return [fieldError.required(field, 'port name or number is required')];
}

/** A reference to an object of any kind in the same namespace. */
function validateTypedReference(reference: Json, field: string): FieldError[] {
  const group = at(reference, 'apiGroup');
  const found = typeof group === 'string' ? faultErrors(subdomainFaults(group), group, `${field}.apiGroup`) : [];
  for (const member of ['kind', 'name']) {
    const text = textAt(reference, member);
    const here = `${field}.${member}`;
    if (text === '') found.push(fieldError.required(here));
    else found.push(...faultErrors(pathSegmentFaults(text), text, here));
  }
  return found;
}

function validateTls(tls: Json, field: string): FieldError[] {
  const secret = textAt(tls, 'secretName');
  return [
    ...validateItems(listAt(tls, 'hosts'), `${field}.hosts`, (host, here) =>
      faultErrors(hostFaults(String(host)), host, here),
    ),
    ...(secret === '' ? [] : faultErrors(subdomainFaults(secret), secret, `${field}.secretName`)),
  ];
}

/** The class stands in a field or, in the older form, in an annotation; both must say the same. */
function validateClassAnnotation({ metadata, spec }: ApiObject): FieldError[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  const ingressClass = at(spec, 'ingressClassName');
  if (annotation === undefined || typeof ingressClass !== 'string' || annotation === ingressClass) return [];
  const why = 'must match `ingressClassName` when both are specified';
  return [fieldError.invalid(`annotations.${CLASS_ANNOTATION}`, annotation, why)];
}

export const ingressRules: Partial<Behaviour> = {
  updateChecks: ['metadataChange', 'metadata', 'content'],
  validate: validateIngress,
  validateCreate: validateClassAnnotation,
  validateStatusUpdate: (ingress) =>
    validateItems(
      listAt(ingress, 'status', 'loadBalancer', 'ingress'),
      'status.loadBalancer.ingress',
      (point, field) => {
        const ip = textAt(point, 'ip');
        return [
          ...(ip === '' ? [] : validateIp(ip, `${field}.ip`)),
          ...validateBalancerHostname(textAt(point, 'hostname'), `${field}.hostname`),
        ];
      },
    ),
  warnings: ({ metadata, spec }, previous) =>
    previous !== undefined ||
    metadata.annotations?.[CLASS_ANNOTATION] === undefined ||
    at(spec, 'ingressClassName') !== undefined
      ? []
      : [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`],
};

function validateIngressClass({ spec }: ApiObject): FieldError[] {
  const controller = textAt(spec, 'controller');
  const parameters = at(spec, 'parameters');
  return [
    ...validateMostBytes(controller, CONTROLLER_BYTES, 'spec.controller'),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(isObject(parameters) ? validateParameters(parameters, 'spec.parameters') : []),
  ];
}

function validateParameters(parameters: Json, field: string): FieldError[] {
  const scope = at(parameters, 'scope');
  const namespace = at(parameters, 'namespace');
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

export const ingressClassRules: Partial<Behaviour> = {
  updateChecks: ['metadataChange', 'change', 'metadata', 'content'],
  validate: validateIngressClass,
  validateUpdate: (next, previous) =>
    validateImmutableText(at(next, 'spec', 'controller'), at(previous, 'spec', 'controller'), 'spec.controller'),
};
