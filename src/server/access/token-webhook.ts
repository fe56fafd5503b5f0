// The token authentication webhook, configured by --authentication-token-webhook-*. Loaded only if it is configured.

import type { CallObserver } from '../../api/call-trace.ts';
import { TokenWebhook } from '../../auth/authn/token-webhook.ts';
import type { Clock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { Random } from '../../base/random.ts';
import type { Dial } from '../../outbound/dial.ts';
import { readKubeconfig } from '../../outbound/kubeconfig.ts';
import { KubeconfigClient } from '../../outbound/kubeconfig-client.ts';
import { WebhookQuestion } from '../../outbound/webhook-question.ts';
import { readText } from '../files.ts';
import type { ServerOptions } from '../options.ts';

interface TokenWebhookNeeds {
  readonly options: ServerOptions;
  readonly audiences: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly observeCall: CallObserver;
}

const VERSIONS = ['v1', 'v1beta1'];

/** @throws Error for an unusable kubeconfig or version */
export async function loadTokenWebhook(
  path: string,
  { options, audiences, clock, random, dial, observeCall }: TokenWebhookNeeds,
): Promise<{ source: TokenWebhook; stop(): void }> {
  const version = options.authenticationTokenWebhookVersion;
  if (!VERSIONS.includes(version)) {
    const supported = VERSIONS.map((each) => JSON.stringify(each)).join(', ');
    throw new Error(
      `unsupported authentication webhook version ${JSON.stringify(version)}, supported versions are ${supported}`,
    );
  }
  const client = new KubeconfigClient({
    ...{ dial, clock, observeCall },
    target: await readKubeconfig(path, readText),
  });
  const question = new WebhookQuestion({
    ...{ client, clock, random, kind: 'TokenReview', apiVersion: `authentication.k8s.io/${version}` },
    timeoutMs: limits.accessWebhookMs,
  });
  const cacheTtlMs = options.authenticationTokenWebhookCacheTtlMs;
  const source = new TokenWebhook({ question, audiences, clock, cacheTtlMs });
  return { source, stop: () => question.close() };
}
