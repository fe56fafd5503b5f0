// Table columns of webhook configurations and admission policies.

import type { TableColumns } from '../../definition.ts';
import { age, integer, table, UNSET } from '../../table.ts';
import { sortedEntries } from '../../value.ts';
import type { LabelSelector } from '../meta/v1-objects.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './v1-objects.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './v1alpha1-objects.ts';

export const webhookConfigurationTable: TableColumns<MutatingWebhookConfiguration | ValidatingWebhookConfiguration> =
  table([integer('Webhooks'), 'Age'], (configuration) => [(configuration.webhooks ?? []).length, age(configuration)]);

export const validatingPolicyTable: TableColumns<ValidatingAdmissionPolicy> = table(
  [integer('Validations'), 'ParamKind', 'Age'],
  (policy) => [(policy.spec?.validations ?? []).length, parameterKind(policy), age(policy)],
);

export const mutatingPolicyTable: TableColumns<MutatingAdmissionPolicy> = table(
  [integer('Mutations'), 'ParamKind', 'Age'],
  (policy) => [(policy.spec?.mutations ?? []).length, parameterKind(policy), age(policy)],
);

function parameterKind(policy: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): string {
  const kind = policy.spec?.paramKind;
  return kind !== undefined ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : UNSET;
}

export const policyBindingTable: TableColumns<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> =
  table(['PolicyName', 'ParamRef', 'Age'], (binding) => [
    binding.spec?.policyName ?? '',
    parameter(binding),
    age(binding),
  ]);

function parameter(binding: ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding): string {
  const reference = binding.spec?.paramRef;
  if (reference === undefined) return UNSET;
  const { name = '', selector } = reference;
  if (name !== '') return `${reference.namespace || '*'}/${name}`;
  return selector === undefined ? UNSET : goSelector(selector);
}

/** A selector as formatted by Go, as in kube-apiserver. */
function goSelector({ matchLabels, matchExpressions = [] }: LabelSelector): string {
  const labels = sortedEntries(matchLabels).map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key ?? ''},Operator:${operator ?? ''},Values:[${values.join(' ')}],},`,
  );
  const shown = `MatchLabels:map[string]string{${labels.join('')}},`;
  return `&LabelSelector{${shown}MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
