// The way from the server to webhooks. The code that goes it is loaded when somebody goes it for the first time: most
// servers start without.

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
  /** Told of each call, as a part of the trace of a request; undefined where there are no traces. */
  readonly traceCall: TraceCall | undefined;
  readonly observeCall: CallObserver;
}

/** `close` lets go of the connections that are kept. */
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

/** How webhooks are asked to convert custom resources. */
export function conversionWebhooks(caller: WebhookCaller): AskWebhook {
  return (config, body) => caller.call({ address: webhookAddress(config), body, timeoutMs: limits.conversionMs });
}
