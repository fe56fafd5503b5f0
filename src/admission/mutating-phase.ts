// The plugins MutatingAdmissionPolicy and MutatingAdmissionWebhook: policies, then webhooks, may change the object. If
// one does, the built-in plugins run again, and then those policies and webhooks that ask for reinvocation (KEP-3962,
// KEP-1872).

import { equalJson } from '../api/json-equal.ts';
import { copyJson } from '../api/json-writer.ts';
import type { ApiObject } from '../api/object.ts';
import { managersFault, parseManagers, writeManagers } from '../apply/managers.ts';
import type { Soon } from '../base/soon.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concernsMutatingPolicies, type MutatingPolicyNeeds, PolicyMutations } from './policies/mutating-policies.ts';
import { timing } from './timed.ts';
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

/** Both plugins are timed, in each round, also where they have nothing to say. */
export function mutatingPhase(needs: MutatingPhaseNeeds): AdmissionPlugin {
  const timings: PhaseTimings = {
    policies: needs.hasPolicies ? timing(POLICIES, 'admit', needs.webhooks) : untimed,
    webhooks: needs.hasWebhooks ? timing(WEBHOOKS, 'admit', needs.webhooks) : untimed,
  };
  return {
    name: WEBHOOKS,
    admit(admission) {
      const webhooks = needs.hasWebhooks ? concernedWebhooks(needs.webhooks.webhooks, admission) : undefined;
      const policies = needs.hasPolicies && concernsMutatingPolicies(needs.policies, admission);
      if (webhooks !== undefined || policies) {
        return mutate(admission, { ...needs, timings, concerned: webhooks ?? [] });
      }
      timings.policies(admission, NOTHING);
      timings.webhooks(admission, NOTHING);
      return undefined;
    },
  };
}

type Timing = ReturnType<typeof timing>;

interface PhaseTimings {
  readonly policies: Timing;
  readonly webhooks: Timing;
}

const NOTHING = (): Soon<void> => {};

function untimed(_admission: AdmissionRequest, run: () => Soon<void>): Soon<void> {
  return run();
}

async function mutate(
  admission: AdmissionRequest,
  {
    policies,
    hasPolicies,
    webhooks,
    earlier,
    timings,
    concerned,
  }: MutatingPhaseNeeds & { readonly timings: PhaseTimings; readonly concerned: readonly Webhook[] },
): Promise<void> {
  const { object } = admission;
  const seen = admission.shown?.object ?? object;
  const managers = seen?.metadata?.managedFields;
  const isOfPolicies = hasPolicies && concernsMutatingPolicies(policies, admission);
  const byPolicies = isOfPolicies ? new PolicyMutations(admission, policies) : undefined;
  const byWebhooks = concerned.length === 0 ? undefined : new WebhookMutations(admission, webhooks);
  await timings.policies(admission, () => byPolicies?.round(0));
  await timings.webhooks(admission, () => byWebhooks?.round(0, concerned));
  if (byPolicies?.hasMutated !== true && byWebhooks?.hasChanged !== true) return;
  const before = copyJson(object);
  for (const plugin of earlier) await plugin.admit(admission);
  await timings.policies(admission, () => byPolicies?.round(1));
  if (!equalJson(before, object)) byWebhooks?.changed();
  await timings.webhooks(admission, () => byWebhooks?.round(1, concerned));
  if (seen !== undefined) settleManagers(seen, managers, admission.request.warnings);
}

/** Entries that have become invalid are reset. */
function settleManagers(object: ApiObject, before: ApiObject['metadata']['managedFields'], warnings: string[]): void {
  const { metadata } = object;
  if (metadata?.managedFields === undefined || equalJson(metadata.managedFields, before)) return;
  const fault = managersFault(metadata.managedFields);
  if (fault === undefined) {
    metadata.managedFields = writeManagers(parseManagers(metadata.managedFields) ?? []);
    return;
  }
  metadata.managedFields = before;
  warnings.push(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
      `admission controller; please fix your requests: ${fault}`,
  );
}
