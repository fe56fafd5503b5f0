// Validation of service references in webhooks and APIServices.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { subdomainFaults } from '../../api/names.ts';

/** A service reference of a webhook or APIService. */
export interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}

/** A service reference: name, namespace, port, and path. */
export function validateWebhookService(service: ServiceReference, field: string): FieldError[] {
  const found: FieldError[] = [];
  // Kubernetes validates one value and reports the other.
  if ((service.namespace ?? '') === '') found.push(fieldError.required(`${field}.name`));
  if ((service.name ?? '') === '') found.push(fieldError.required(`${field}.namespace`));
  found.push(...validateServicePort(service, field));
  const { path } = service;
  if (path !== undefined) found.push(...pathErrors(path, `${field}.path`));
  return found;
}

/** The port of a service reference; 443 if absent. */
export function validateServicePort(service: ServiceReference, field: string): FieldError[] {
  const { port = 443 } = service;
  if (port >= 1 && port <= 65_535) return [];
  return [fieldError.invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')];
}

function pathErrors(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [fieldError.invalid(field, path, 'segment[0] may not be empty')];
  const found = path.startsWith('/') ? [] : [fieldError.invalid(field, path, "must start with a '/'")];
  // Kubernetes leaves out the first byte, which may be less than a letter.
  const inner = (path.charCodeAt(0) < 0x80 ? path.slice(1) : path).replace(/\/$/, '');
  for (const [index, segment] of inner.split('/').entries()) {
    if (segment === '') found.push(fieldError.invalid(field, path, `segment[${index}] may not be empty`));
    else {
      for (const fault of subdomainFaults(segment)) {
        found.push(fieldError.invalid(field, path, `segment[${index}]: ${fault}`));
      }
    }
  }
  return found;
}
