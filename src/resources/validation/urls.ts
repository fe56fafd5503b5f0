// Validation of webhook and API service addresses: a URL, or a service in the cluster. Knows no kind.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { subdomainFaults } from '../../api/names.ts';

const FORM = '; desired format: https://host[/path]';
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** A service in the cluster, as webhooks and API services name theirs. */
export interface ServiceReference {
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: string;
  readonly port?: number;
}

/** A URL that may be called over HTTPS; nothing but host and path may stand in it. */
export function validateWebhookUrl(url: string, field: string): FieldError[] {
  const parts = PARTS.exec(url);
  if (parts === null || /[\x00-\x20\x7f]/.test(url)) {
    return [fieldError.required(field, `url must be a valid URL: ${JSON.stringify(url)}${FORM}`)];
  }
  if (/^[^A-Za-z/?#][^/?#]*:/.test(url)) {
    const why = `parse ${JSON.stringify(url)}: first path segment in URL cannot contain colon`;
    return [fieldError.required(field, `url must be a valid URL: ${why}${FORM}`)];
  }
  const [, scheme = '', authority = '', , query = '', fragment = ''] = parts;
  const mark = authority.lastIndexOf('@');
  const found: FieldError[] = [];
  const refuse = (value: string, why: string) => found.push(fieldError.invalid(field, value, why));
  if (scheme.toLowerCase() !== 'https') refuse(scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  if (authority.slice(mark + 1) === '') refuse('', `host must be specified${FORM}`);
  if (mark >= 0) refuse(authority.slice(0, mark), 'user information is not permitted in the URL');
  if (fragment !== '') refuse(fragment, 'fragments are not permitted in the URL');
  if (query !== '') refuse(query, 'query parameters are not permitted in the URL');
  return found;
}

/** A reference to a service: name, namespace, port, and the path that is called. */
export function validateWebhookService(service: ServiceReference, field: string): FieldError[] {
  const found: FieldError[] = [];
  // Kubernetes looks at the one and names the other.
  if ((service.namespace ?? '') === '') found.push(fieldError.required(`${field}.name`));
  if ((service.name ?? '') === '') found.push(fieldError.required(`${field}.namespace`));
  found.push(...validateServicePort(service, field));
  const { path } = service;
  if (path !== undefined) found.push(...pathErrors(path, `${field}.path`));
  return found;
}

/** The port of a reference to a service; without one it is 443. */
export function validateServicePort(service: ServiceReference, field: string): FieldError[] {
  const { port = 443 } = service;
  if (port >= 1 && port <= 65_535) return [];
  return [fieldError.invalid(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')];
}

function pathErrors(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [fieldError.invalid(field, path, 'segment[0] may not be empty')];
  const found = path.startsWith('/') ? [] : [fieldError.invalid(field, path, "must start with a '/'")];
  const inner = path.slice(1).replace(/\/$/, '');
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
