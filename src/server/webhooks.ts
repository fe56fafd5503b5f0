// Calls from the server to webhooks. The code is loaded on first use.

import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { CallObserver, TraceCall } from '../api/call-trace.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Random } from '../base/random.ts';
import { webhookAddress } from '../outbound/webhook-address.ts';
import type { WebhookCaller } from '../outbound/webhook-call.ts';
import type { WebhookClient } from '../outbound/webhook-client.ts';
import type { AskWebhook } from '../resources/custom/webhook-converter.ts';
import type { Egress } from './egress.ts';

interface WebhookCallerNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly egress: Pick<Egress, 'controlplane' | 'cluster'>;
  readonly objects: ObjectLookup;
  /** Answers a request with the rights of the server itself. */
  readonly askItself: (request: Request) => Promise<Response>;
  /** Traces each call as part of a request; undefined without tracing. */
  readonly traceCall: TraceCall | undefined;
  readonly observeCall: CallObserver;
}

/** `close` closes idle connections. */
export function webhookCaller(needs: WebhookCallerNeeds): WebhookCaller & { close(): Promise<void> } {
  let loading: Promise<WebhookClient> | undefined;
  const load = async () => {
    const [{ WebhookClient }, { servicePlace }] = await Promise.all([
      import('../outbound/webhook-client.ts'),
      import('./service-places.ts'),
    ]);
    const { controlplane: dial, cluster: dialService } = needs.egress;
    return new WebhookClient({ ...needs, dial, dialService, locate: (service) => servicePlace(service, needs) });
  };
  return {
    async call(call) {
      loading ??= load();
      return (await loading).call(call);
    },
    async close() {
      (await loading)?.close();
    },
  };
}

/** How webhooks are called to convert custom resources. */
export function conversionWebhooks(caller: WebhookCaller): AskWebhook {
  return (config, body) => caller.call({ address: webhookAddress(config), body, timeoutMs: limits.conversionMs });
}
