// Admission webhooks and policies.

import { combined } from '../../combined-rules.ts';
import { RESET_METADATA, type ResourceDefinition } from '../../definition.ts';
import { lateRules } from '../../late-rules.ts';
import { group, own } from '../../resource.ts';
import {
  denyWithoutParameters,
  mutatingWebhookDefaults,
  policyBindingDefaults,
  policyDefaults,
  validatingWebhookDefaults,
} from './defaults.ts';
import { reviewRuleWarnings, withReservedNames } from './reserved-names.ts';
import { mutatingPolicyTable, policyBindingTable, validatingPolicyTable, webhookConfigurationTable } from './tables.ts';
import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from './v1-objects.ts';
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from './v1alpha1-objects.ts';

/** Those before v1; beside it, removed-versions.ts has them. */
const VALIDATING_VERSIONS = { 0: ['v1beta1', 'v1alpha1'], 30: ['v1'] } as const;

const admissionregistration = group('admissionregistration.k8s.io', 'v1');

export const admissionregistrationResources: readonly ResourceDefinition[] = [
  admissionregistration<MutatingWebhookConfiguration>({
    resource: 'mutatingwebhookconfigurations',
    kind: 'MutatingWebhookConfiguration',
    cluster: true,
    categories: ['api-extensions'],
    strategy: {
      ...withReservedNames<MutatingWebhookConfiguration>({
        ...lateRules<MutatingWebhookConfiguration>(
          async () => (await import('./validation-webhook.ts')).mutatingWebhookRules,
        ),
        warnings: (next, _, context) => reviewRuleWarnings(next, context),
      }),
      anyFinalizer: true,
      checks: { update: ['metadata', 'change'] },
      defaults: mutatingWebhookDefaults,
      generation: { countsEmpty: true },
      unconditionalUpdate: false,
    },
    table: webhookConfigurationTable,
  }),
  admissionregistration<ValidatingAdmissionPolicy>({
    resource: 'validatingadmissionpolicies',
    versions: VALIDATING_VERSIONS,
    storage: { 0: 'v1beta1', 31: 'v1' },
    kind: 'ValidatingAdmissionPolicy',
    cluster: true,
    categories: ['api-extensions'],
    subresources: { status: own },
    strategy: combined(
      withReservedNames<ValidatingAdmissionPolicy>(
        lateRules(async () => (await import('./validation-policy.ts')).validatingPolicyRules, 'status'),
      ),
      {
        anyFinalizer: true,
        checks: { update: ['metadata', 'change'] },
        defaults: policyDefaults,
        generation: true,
        unconditionalUpdate: false,
        subresources: { status: { checks: { update: ['change'] }, creates: true, keeps: RESET_METADATA } },
      },
    ),
    table: validatingPolicyTable,
  }),
  admissionregistration<ValidatingAdmissionPolicyBinding>({
    resource: 'validatingadmissionpolicybindings',
    versions: VALIDATING_VERSIONS,
    storage: { 0: 'v1beta1', 31: 'v1' },
    kind: 'ValidatingAdmissionPolicyBinding',
    cluster: true,
    categories: ['api-extensions'],
    strategy: {
      ...withReservedNames<ValidatingAdmissionPolicyBinding>(
        lateRules(async () => (await import('./validation-policy.ts')).validatingBindingRules),
      ),
      anyFinalizer: true,
      checks: { update: ['metadata', 'content'] },
      defaults: policyBindingDefaults,
      generation: true,
      unconditionalUpdate: false,
    },
    table: policyBindingTable,
  }),
  admissionregistration<ValidatingWebhookConfiguration>({
    resource: 'validatingwebhookconfigurations',
    kind: 'ValidatingWebhookConfiguration',
    cluster: true,
    categories: ['api-extensions'],
    strategy: {
      ...withReservedNames<ValidatingWebhookConfiguration>({
        ...lateRules<ValidatingWebhookConfiguration>(
          async () => (await import('./validation-webhook.ts')).validatingWebhookRules,
        ),
        warnings: (next, _, context) => reviewRuleWarnings(next, context),
      }),
      anyFinalizer: true,
      checks: { update: ['metadata', 'change'] },
      defaults: validatingWebhookDefaults,
      generation: { countsEmpty: true },
      unconditionalUpdate: false,
    },
    table: webhookConfigurationTable,
  }),
  admissionregistration<MutatingAdmissionPolicy>({
    resource: 'mutatingadmissionpolicies',
    kind: 'MutatingAdmissionPolicy',
    cluster: true,
    categories: ['api-extensions'],
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    storage: { 0: 'v1alpha1', 35: 'v1beta1', 37: 'v1' },
    strategy: {
      ...withReservedNames<MutatingAdmissionPolicy>(
        lateRules(async () => (await import('./validation-policy.ts')).mutatingPolicyRules),
      ),
      anyFinalizer: true,
      checks: { update: ['metadata', 'change'] },
      defaults: policyDefaults,
      generation: true,
      unconditionalUpdate: false,
    },
    table: mutatingPolicyTable,
  }),
  admissionregistration<MutatingAdmissionPolicyBinding>({
    resource: 'mutatingadmissionpolicybindings',
    kind: 'MutatingAdmissionPolicyBinding',
    cluster: true,
    categories: ['api-extensions'],
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    storage: { 0: 'v1alpha1', 35: 'v1beta1', 37: 'v1' },
    conversions: { v1alpha1: { toStorage: denyWithoutParameters, fromStorage: (binding) => binding } },
    strategy: {
      ...withReservedNames<MutatingAdmissionPolicyBinding>(
        lateRules(async () => (await import('./validation-policy.ts')).mutatingBindingRules),
      ),
      anyFinalizer: true,
      checks: { update: ['metadata', 'content'] },
      defaults: policyBindingDefaults,
      generation: true,
      unconditionalUpdate: false,
    },
    table: policyBindingTable,
  }),
];
