// The plugin ValidatingAdmissionWebhook: all matching webhooks are called concurrently, and each may reject the
// request.

import { annotateAdmission } from '../audit-annotations.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../chain.ts';
import { Attributes } from '../policies/attributes.ts';
import { allowFailure, ask, askedOf, concernedWebhooks, type Question, type WebhookNeeds } from './inquiry.ts';
import type { Webhook } from './webhook.ts';

const FAILED_OPEN = 'failed-open.validating.webhook.admission.k8s.io/round_0_index_';

export function validatingWebhooks(needs: WebhookNeeds): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    admit(admission) {
      const webhooks = concernedWebhooks(needs.webhooks, admission);
      return webhooks === undefined ? undefined : askAll(admission, webhooks, needs);
    },
  };
}

async function askAll(admission: AdmissionRequest, webhooks: readonly Webhook[], needs: WebhookNeeds): Promise<void> {
  const attributes = new Attributes(admission);
  const questions: Question[] = [];
  for (const webhook of webhooks) {
    const target = await askedOf(webhook, { attributes, type: 'validating' }, needs);
    if (target !== undefined) questions.push({ webhook, attributes, target, mutating: false });
  }
  // All webhooks are called; the response has the rejection that arrived first.
  const refusals: unknown[] = [];
  const refuse = (error: unknown) => refusals.push(error);
  await Promise.all(questions.map((question, index) => askOne(question, index, needs).catch(refuse)));
  if (refusals.length > 0) throw refusals[0];
}

async function askOne(question: Question, index: number, needs: WebhookNeeds): Promise<void> {
  try {
    await ask(question, needs);
  } catch (error) {
    const { webhook, attributes } = question;
    allowFailure(error, webhook, needs.log);
    annotateAdmission(attributes.admission.request.audit, `${FAILED_OPEN}${index}`, webhook.name);
  }
}
