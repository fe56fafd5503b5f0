// The plugins MutatingAdmissionPolicy and MutatingAdmissionWebhook: policies, then webhooks, may change the object. If
// one does, the built-in plugins run again, and then those policies and webhooks that ask for reinvocation (KEP-3962,
// KEP-1872).

import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import { parseManagers, writeManagers } from '../apply/managers.ts';
import type { Soon } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concernsMutatingPolicies, type MutatingPolicyNeeds, PolicyMutations } from './policies/mutating-policies.ts';
import { timedRun } from './timed.ts';
import { concernedWebhooks, type WebhookNeeds } from './webhooks/inquiry.ts';
import { WebhookMutations } from './webhooks/mutating-webhooks.ts';
import type { Webhook } from './webhooks/webhook.ts';

interface MutatingPhaseNeeds {
  readonly webhooks: WebhookNeeds;
  readonly policies: MutatingPolicyNeeds;
  /** The mutating built-in plugins, which have run before. */
  readonly earlier: readonly AdmissionPlugin[];
  /** Which of the two plugins are enabled. */
  readonly hasWebhooks: boolean;
  readonly hasPolicies: boolean;
}

const POLICIES = 'MutatingAdmissionPolicy';
const WEBHOOKS = 'MutatingAdmissionWebhook';

export function mutatingPhase(needs: MutatingPhaseNeeds): AdmissionPlugin {
  return {
    name: WEBHOOKS,
    admit(admission) {
      const webhooks = needs.hasWebhooks ? concernedWebhooks(needs.webhooks.webhooks, admission) : undefined;
      const policies = needs.hasPolicies && concernsMutatingPolicies(needs.policies, admission);
      return webhooks === undefined && !policies
        ? undefined
        : mutate(admission, { ...needs, concerned: webhooks ?? [] });
    },
  };
}

/** Both plugins are timed, in each round. */
async function mutate(
  admission: AdmissionRequest,
  {
    policies,
    hasPolicies,
    webhooks,
    earlier,
    concerned,
  }: MutatingPhaseNeeds & { readonly concerned: readonly Webhook[] },
): Promise<void> {
  const { object } = admission;
  const managers = object?.metadata?.managedFields;
  const isOfPolicies = hasPolicies && concernsMutatingPolicies(policies, admission);
  const byPolicies = isOfPolicies ? new PolicyMutations(admission, policies) : undefined;
  const byWebhooks = concerned.length === 0 ? undefined : new WebhookMutations(admission, webhooks);
  const { clock, metrics } = webhooks;
  const run = (name: string, round: () => Soon<void>) =>
    timedRun({ clock, series: metrics.plugin(name, 'admit'), request: admission }, round);
  await run(POLICIES, () => byPolicies?.round(0));
  await run(WEBHOOKS, () => byWebhooks?.round(0, concerned));
  if (byPolicies?.hasMutated !== true && byWebhooks?.hasChanged !== true) return;
  const before = copyJson(object);
  for (const plugin of earlier) await plugin.admit(admission);
  await run(POLICIES, () => byPolicies?.round(1));
  if (!equalJson(before, object)) byWebhooks?.changed();
  await run(WEBHOOKS, () => byWebhooks?.round(1, concerned));
  if (object !== undefined) settleManagers(object, managers, admission.request.warnings);
}

/** Entries that have become invalid are reset. */
function settleManagers(object: ApiObject, before: ApiObject['metadata']['managedFields'], warnings: string[]): void {
  const { metadata } = object;
  if (metadata?.managedFields === undefined || equalJson(metadata.managedFields, before)) return;
  const managers = parseManagers(metadata.managedFields);
  metadata.managedFields = managers === undefined ? before : writeManagers(managers);
  if (managers !== undefined) return;
  warnings.push(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
      'admission controller; please fix your requests: an entry cannot be read',
  );
}
