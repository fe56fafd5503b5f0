// The rules of API services.

import { type FieldError, fieldError } from '../../../api/errors.ts';
import { generateNameFaults, label1035Faults, pathSegmentFaults, subdomainFaults } from '../../../api/names.ts';
import type { ApiObject, Json } from '../../../api/object.ts';
import type { Behaviour } from '../../definition.ts';
import { decodedBytes } from '../../validation/base64.ts';
import { faultErrors, validateRequired } from '../../validation/field-rules.ts';
import { validateServicePort } from '../../validation/urls.ts';
import { at, isObject, numberAt, textAt } from '../../value.ts';

const PRIORITIES = [
  { member: 'groupPriorityMinimum', most: 20_000 },
  { member: 'versionPriority', most: 1_000 },
] as const;

/** Its name says which version of which group it serves. */
function nameFaults(name: string, isPrefix: boolean, { spec }: ApiObject): readonly string[] {
  const faults = isPrefix ? generateNameFaults('pathSegment', name) : pathSegmentFaults(name);
  const wanted = `${textAt(spec, 'version')}.${textAt(spec, 'group')}`;
  if (faults.length > 0 || name === wanted) return faults;
  return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`];
}

function validateApiService({ spec }: ApiObject): FieldError[] {
  const [group, version] = [textAt(spec, 'group'), textAt(spec, 'version')];
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
  const service = at(spec, 'service');
  return [...found, ...(isObject(service) ? validateRemote(spec, service) : validateLocal(spec))];
}

function validateLocal(spec: Json | undefined): FieldError[] {
  const bundle = textAt(spec, 'caBundle');
  const found: FieldError[] = [];
  if (bundle !== '') {
    const why = 'local APIServices may not have a caBundle';
    found.push(fieldError.invalid('spec.caBundle', `${decodedBytes(bundle)} bytes`, why));
  }
  if (at(spec, 'insecureSkipTLSVerify') !== true) return found;
  const why = 'local APIServices may not have insecureSkipTLSVerify';
  return [...found, fieldError.invalid('spec.insecureSkipTLSVerify', true, why)];
}

function validateRemote(spec: Json | undefined, service: Json): FieldError[] {
  const found = [
    ...validateRequired(textAt(service, 'namespace'), 'spec.service.namespace'),
    ...validateRequired(textAt(service, 'name'), 'spec.service.name'),
    ...validateServicePort(service, 'spec.service'),
  ];
  if (at(spec, 'insecureSkipTLSVerify') !== true || textAt(spec, 'caBundle') === '') return found;
  return [...found, fieldError.invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')];
}

export const apiServiceRules: Partial<Behaviour> = {
  anyFinalizer: true,
  nameFaults,
  updateChecks: ['metadataChange', 'metadata', 'content'],
  validate: validateApiService,
};
