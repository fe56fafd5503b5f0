// The index of admission webhooks, in sync with stored objects, so that a webhook takes effect before its write is
// acknowledged.

import type { ManifestPlugin } from '../admission/manifests.ts';
import { WebhookIndex } from '../admission/webhooks/webhook-index.ts';
import { lenientExpressions, storedExpressions } from '../expressions/environments.ts';
import type { FeatureGates } from '../lifecycle/feature-gates.ts';
import type { Catalog } from '../resources/catalog.ts';
import type { Registry } from '../verbs/registry.ts';
import { followObjects } from './follow-objects.ts';
import type { AdmissionManifests } from './manifests/admission-manifests.ts';

export interface AdmissionWebhooks {
  readonly mutating: WebhookIndex;
  readonly validating: WebhookIndex;
}

interface Sources {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly gates: FeatureGates;
  readonly manifests: AdmissionManifests;
}

/** The indexes, complete; they are kept in sync until the caches close. */
export async function followWebhooks({ catalog, registry, gates, manifests }: Sources): Promise<AdmissionWebhooks> {
  const isStrict = gates.enabled('StrictCostEnforcementForWebhooks');
  const environments = (isStrict ? storedExpressions : lenientExpressions)(catalog.minor);
  const exemptsReviews = gates.enabled('ExcludeAdmissionWebhookVirtualResources');
  const newIndex = (plugin: ManifestPlugin) =>
    new WebhookIndex({ environments, exemptsReviews, manifests: manifests[plugin] });
  const indices = {
    mutating: newIndex('MutatingAdmissionWebhook'),
    validating: newIndex('ValidatingAdmissionWebhook'),
  };
  const follow = (index: WebhookIndex, resource: string) =>
    followObjects(catalog, registry, {
      group: 'admissionregistration.k8s.io',
      resource,
      set: (configuration) => index.set(configuration),
      delete: (_, name) => index.delete(name),
    });
  await Promise.all([
    follow(indices.mutating, 'mutatingwebhookconfigurations'),
    follow(indices.validating, 'validatingwebhookconfigurations'),
  ]);
  return indices;
}
