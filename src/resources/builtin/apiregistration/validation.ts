// Validation of APIServices.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { generateNameFaults, label1035Faults, pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { KindRules } from '../../definition.ts';
import { decodedBytes } from '../../validation/base64.ts';
import { faultErrors, validateChoice, validateRequired } from '../../validation/field-rules.ts';
import { validateServicePort } from '../../validation/service-references.ts';
import { numberAt } from '../../value.ts';
import type { APIService, APIServiceSpec, ServiceReference } from './v1-objects.ts';

const PRIORITIES = [
  { member: 'groupPriorityMinimum', most: 20_000 },
  { member: 'versionPriority', most: 1_000 },
] as const;

/** Its name consists of version and group. */
function nameFaults(
  name: string,
  isPrefix: boolean,
  { object: { spec } }: { readonly object: APIService },
): readonly string[] {
  const faults = isPrefix ? generateNameFaults('pathSegment', name) : pathSegmentFaults(name);
  const wanted = `${spec?.version ?? ''}.${spec?.group ?? ''}`;
  if (faults.length > 0 || name === wanted) return faults;
  return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`];
}

function validateApiService({ spec }: APIService): FieldError[] {
  const [group, version] = [spec?.group ?? '', spec?.version ?? ''];
  const found: FieldError[] = [];
  if (group !== '') found.push(...faultErrors(subdomainFaults(group), group, 'spec.group'));
  else if (version !== 'v1') {
    const why = 'only v1 may have an empty group and it better be legacy kube';
    found.push(fieldError.required('spec.group', why));
  }
  found.push(...faultErrors(label1035Faults(version), version, 'spec.version'));
  for (const { member, most } of PRIORITIES) {
    const priority = numberAt(spec, member);
    if (priority > 0 && priority <= most) continue;
    found.push(fieldError.invalid(`spec.${member}`, priority, `must be positive and less than ${most}`));
  }
  const service = spec?.service;
  return [...found, ...(service !== undefined ? validateRemote(spec, service) : validateLocal(spec))];
}

function validateLocal(spec: APIServiceSpec | undefined): FieldError[] {
  const bundle = spec?.caBundle ?? '';
  const found: FieldError[] = [];
  if (bundle !== '') {
    const why = 'local APIServices may not have a caBundle';
    found.push(fieldError.invalid('spec.caBundle', `${decodedBytes(bundle)} bytes`, why));
  }
  if (spec?.insecureSkipTLSVerify !== true) return found;
  const why = 'local APIServices may not have insecureSkipTLSVerify';
  return [...found, fieldError.invalid('spec.insecureSkipTLSVerify', true, why)];
}

function validateRemote(spec: APIServiceSpec | undefined, service: ServiceReference): FieldError[] {
  const found = [
    ...validateRequired(service.namespace ?? '', 'spec.service.namespace'),
    ...validateRequired(service.name ?? '', 'spec.service.name'),
    ...validateServicePort(service, 'spec.service'),
  ];
  if (spec?.insecureSkipTLSVerify !== true || (spec?.caBundle ?? '') === '') return found;
  return [...found, fieldError.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')];
}

/** Only the status of conditions is validated. */
function validateApiServiceStatus({ status }: APIService): FieldError[] {
  return (status?.conditions ?? []).flatMap((condition, index) =>
    validateChoice(condition.status ?? '', ['True', 'False', 'Unknown'], `status.conditions[${index}].status`),
  );
}

export const apiServiceRules: KindRules<APIService> = {
  subresources: { status: { validateUpdate: validateApiServiceStatus } },
  anyFinalizer: true,
  nameRule: { faults: nameFaults },
  checks: { update: ['metadataChange', 'metadata', 'content'] },
  validate: validateApiService,
};
