// Authorization flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const authorizationFlags: readonly Flag[] = [
  {
    name: 'authorization-config',
    type: 'file',
    option: 'authorizationConfig',
    help: 'AuthorizationConfiguration file: the chain of authorizers.',
  },
  {
    name: 'authorization-mode',
    type: 'strings',
    option: 'authorizationMode',
    isNoted: true,
    help: 'In order: Node, RBAC (these by default), ABAC, Webhook, AlwaysAllow, AlwaysDeny.',
  },
  {
    name: 'authorization-policy-file',
    type: 'file',
    option: 'authorizationPolicyFile',
    help: 'Policy file of the mode ABAC, one JSON object per line.',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    option: 'authorizationWebhookCacheAuthorizedTtlMs',
    isNoted: true,
    help: 'How long to cache authorized responses of the webhook.',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    option: 'authorizationWebhookCacheUnauthorizedTtlMs',
    isNoted: true,
    help: 'How long to cache unauthorized responses of the webhook.',
  },
  {
    name: 'authorization-webhook-config-file',
    type: 'file',
    option: 'authorizationWebhookConfigFile',
    isNoted: true,
    help: 'Kubeconfig of the webhook of the mode Webhook.',
  },
  {
    name: 'authorization-webhook-version',
    type: 'string',
    option: 'authorizationWebhookVersion',
    isNoted: true,
    help: 'API version of the SubjectAccessReview to send.',
  },
];
