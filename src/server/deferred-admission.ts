// Admission that is loaded before the first write: plugins, policies, webhooks. Startup does not need it.

import type { Admission, AdmissionRequest, PendingWrite } from '../admission/chain.ts';
import type { FieldErrors } from '../api/errors.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import type { AdmissionNeeds } from './admission.ts';
import type { AdmissionManifests } from './manifests/admission-manifests.ts';
import type { AdmissionPolicies } from './policy-feed.ts';

interface Needs extends Omit<AdmissionNeeds, keyof AdmissionPolicies | 'webhooks' | 'admission'> {
  readonly manifests: AdmissionManifests;
}

export class DeferredAdmission implements Admission {
  readonly #needs: Needs;
  #loading: Promise<Admission> | undefined;
  #chain: Admission | undefined;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  rights(request: AdmissionRequest): Soon<FieldErrors> {
    return whenThere(this.#ready(), (chain) => chain.rights?.(request) ?? []);
  }

  admit(request: AdmissionRequest): Soon<void> {
    return whenThere(this.#ready(), (chain) => chain.admit(request));
  }

  async admitWhole(request: AdmissionRequest, complete?: () => Soon<void>): Promise<void> {
    await (await this.#ready()).admitWhole(request, complete);
  }

  validate(request: AdmissionRequest, write: PendingWrite): Soon<void> {
    return whenThere(this.#ready(), (chain) => chain.validate(request, write));
  }

  async hasWebhooksOrPolicies(): Promise<boolean> {
    return (await (await this.#ready()).hasWebhooksOrPolicies?.()) ?? false;
  }

  #ready(): Soon<Admission> {
    return this.#chain ?? this.#loaded();
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
  const [policies, webhooks] = await Promise.all([followPolicies(needs), followWebhooks(needs)]);
  return admissionChain({ ...needs, admission, ...policies, webhooks });
}
