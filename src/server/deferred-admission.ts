// Admission that loads what a write needs before the first: the plugins, the policies, the webhooks, and the rules of
// the kind that is written. A server starts without them.

import type { Admission, AdmissionRequest, Undo } from '../admission/chain.ts';
import type { AdmissionNeeds } from './admission.ts';
import type { AdmissionPolicies } from './policy-feed.ts';

type Needs = Omit<AdmissionNeeds, keyof AdmissionPolicies | 'webhooks' | 'admission'>;

export class DeferredAdmission implements Admission {
  readonly #needs: Needs;
  #loading: Promise<Admission> | undefined;
  #chain: Admission | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  admit(request: AdmissionRequest): void | Promise<void> {
    const ready = this.#ready(request);
    return ready instanceof Promise ? ready.then((chain) => chain.admit(request)) : ready.admit(request);
  }

  admitWhole(request: AdmissionRequest): Promise<void> {
    const ready = this.#ready(request);
    return ready instanceof Promise ? ready.then((chain) => chain.admitWhole(request)) : ready.admitWhole(request);
  }

  validate(request: AdmissionRequest): Promise<Undo | undefined> | undefined {
    const ready = this.#ready(request);
    return ready instanceof Promise ? ready.then((chain) => chain.validate(request)) : ready.validate(request);
  }

  #ready({ request }: AdmissionRequest): Admission | Promise<Admission> {
    const { load } = request.definition.strategy;
    const chain = this.#chain ?? this.#loaded();
    return load === undefined ? chain : load().then(() => chain);
  }

  #loaded(): Promise<Admission> {
    this.#loading ??= load(this.#needs, this).then((chain) => {
      this.#chain = chain;
      return chain;
    });
    return this.#loading;
  }
}

async function load(needs: Needs, admission: Admission): Promise<Admission> {
  const [{ admissionChain }, { followPolicies }, { followWebhooks }] = await Promise.all([
    import('./admission.ts'),
    import('./policy-feed.ts'),
    import('./webhook-feed.ts'),
  ]);
  const { catalog, registry } = needs;
  const [policies, webhooks] = await Promise.all([followPolicies(needs), followWebhooks(catalog, registry)]);
  return admissionChain({ ...needs, admission, ...policies, webhooks });
}
