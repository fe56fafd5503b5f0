// Authorization flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const authorizationFlags: readonly Flag[] = [
  {
    name: 'authorization-config',
    type: 'file',
    option: 'authorizationConfig',
    help: 'AuthorizationConfiguration: the chain of authorizers.',
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
    help: 'Policies of the mode ABAC, a line of JSON each.',
  },
  {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: 'duration',
    option: 'authorizationWebhookCacheAuthorizedTtlMs',
    isNoted: true,
    help: 'How long what the webhook allowed is remembered.',
  },
  {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: 'duration',
    option: 'authorizationWebhookCacheUnauthorizedTtlMs',
    isNoted: true,
    help: 'How long what it did not allow is remembered.',
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
    help: 'Version of the SubjectAccessReview that it is sent.',
  },
];
