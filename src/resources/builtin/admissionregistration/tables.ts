// How admission webhooks and policies are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, integer, table, UNSET } from '../../table.ts';
import { at, isObject, listAt, textAt } from '../../value.ts';

export const webhookConfigurationTable: TableColumns = table([integer('Webhooks'), 'Age'], (configuration) => [
  listAt(configuration, 'webhooks').length,
  age(configuration),
]);

export const validatingPolicyTable: TableColumns = table([integer('Validations'), 'ParamKind', 'Age'], (policy) => [
  listAt(policy, 'spec', 'validations').length,
  parameterKind(policy),
  age(policy),
]);

export const mutatingPolicyTable: TableColumns = table([integer('Mutations'), 'ParamKind', 'Age'], (policy) => [
  listAt(policy, 'spec', 'mutations').length,
  parameterKind(policy),
  age(policy),
]);

function parameterKind(policy: ApiObject): string {
  const kind = at(policy, 'spec', 'paramKind');
  return isObject(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : UNSET;
}

export const policyBindingTable: TableColumns = table(['PolicyName', 'ParamRef', 'Age'], (binding) => [
  textAt(binding, 'spec', 'policyName'),
  parameter(binding),
  age(binding),
]);

function parameter(binding: ApiObject): string {
  const reference = at(binding, 'spec', 'paramRef');
  if (!isObject(reference)) return UNSET;
  const namespace = textAt(reference, 'namespace');
  return namespace === '' ? textAt(reference, 'name') : `${namespace}/${textAt(reference, 'name')}`;
}
