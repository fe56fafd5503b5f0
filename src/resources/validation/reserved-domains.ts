// Domains of Kubernetes itself, whose names nobody else may use: of those who request evictions, and who answer for them.

import { type FieldError, fieldError } from '../../api/errors.ts';

const RESERVED = ['.k8s.io', '.kubernetes.io'];

/** @param name with a domain before a slash */
export function validateOutsideDomains(name: string, field: string): FieldError[] {
  const [domain = ''] = name.split('/', 1);
  const clean = withoutEnd(domain.toLowerCase().trim());
  if (!RESERVED.some((suffix) => clean.endsWith(suffix) || `.${clean}` === suffix)) return [];
  const all = RESERVED.map((suffix) => `*${suffix}`).join(', ');
  return [fieldError.invalid(field, name, `domain names ${all} are reserved`)];
}

/** A domain may end in dots. */
function withoutEnd(domain: string): string {
  let end = domain.length;
  while (domain[end - 1] === '.') end--;
  return domain.slice(0, end);
}
