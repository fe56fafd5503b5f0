// Controller of resource claims: it makes those that pods ask for by templates, takes reservations and devices back when
// pods have ended, and deletes claims that were made for them.

import type { Controller } from '../../controllers/controller.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../resources/builtin/resource/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { controllerKeys } from '../owners.ts';
import { type Keys, keyOf, reconciler, splitKey } from '../reconciler.ts';
import { MissingTemplate, makeClaims, needsWork } from './claim-making.ts';
import type { ClaimParts } from './claim-parts.ts';
import { keepClaim } from './claim-release.ts';
import { claimNameOf, isDone } from './pod-claims.ts';

const GROUP = 'resource.k8s.io';
const POD = 'pod:';
const CLAIM = 'claim:';

export function resourceClaimController(context: ClusterContext): Controller {
  return reconciler(context, {
    name: 'resourceclaim-controller',
    async begin(keys) {
      const { informers } = context;
      // Older releases serve no claims by default.
      if (!informers.serves(GROUP, 'resourceclaims')) return async () => undefined;
      const as = 'resource-claim-controller';
      const claims = await informers.open<ResourceClaim>(GROUP, 'resourceclaims');
      const parts: ClaimParts = {
        pods: await informers.open<Pod>('', 'pods'),
        templates: await informers.open<ResourceClaimTemplate>(GROUP, 'resourceclaimtemplates'),
        ...{ claims, claimsOwned: claims.index(controllerKeys) },
        objects: new ClusterObjects(context, as),
        events: new ClusterEvents(context, { component: 'resource_claim', as }),
      };
      follow(parts, keys);
      return (key) => look(parts, key);
    },
  });
}

async function look(parts: ClaimParts, key: string): Promise<undefined> {
  const isPod = key.startsWith(POD);
  const { namespace, name } = splitKey(key.slice((isPod ? POD : CLAIM).length));
  if (!isPod) {
    const claim = parts.claims.get(namespace, name);
    if (claim !== undefined) await keepClaim(parts, claim);
    return;
  }
  const pod = parts.pods.get(namespace, name);
  if (pod === undefined || !needsWork(parts, pod)) return;
  try {
    await makeClaims(parts, pod);
  } catch (error) {
    // Another look follows when there is such a template.
    if (!(error instanceof MissingTemplate)) throw error;
  }
}

function follow(parts: ClaimParts, keys: Keys): void {
  const { pods, claims, templates } = parts;
  const podsWith = pods.index((pod) => {
    const names = (pod.spec?.resourceClaims ?? []).map((entry) => claimNameOf(pod, entry));
    return names.filter((name) => typeof name === 'string').map((name) => `${pod.metadata.namespace ?? ''}/${name}`);
  });
  const podsFrom = pods.index((pod) => {
    const names = (pod.spec?.resourceClaims ?? []).map((entry) => entry.resourceClaimTemplateName);
    return names.filter((name) => name !== undefined).map((name) => `${pod.metadata.namespace ?? ''}/${name}`);
  });
  const touch = (pod: Pod, isGone = false) => {
    const entries = pod.spec?.resourceClaims ?? [];
    if (entries.length === 0) return;
    if (isGone || isDone(pod)) {
      for (const entry of entries) {
        const name = claimNameOf(pod, entry);
        if (typeof name === 'string') keys.add(`${CLAIM}${pod.metadata.namespace ?? ''}/${name}`);
      }
    }
    if (!isGone && needsWork(parts, pod)) keys.add(POD + keyOf(pod));
  };
  const touchAll = (some: readonly Pod[]) => {
    for (const pod of some) touch(pod);
  };
  pods.follow({ changed: (pod) => touch(pod), removed: (pod) => touch(pod, true) });
  claims.follow({
    changed: (claim) => {
      keys.add(CLAIM + keyOf(claim));
      touchAll(podsWith.get(keyOf(claim)));
    },
    removed: (claim) => touchAll(podsWith.get(keyOf(claim))),
  });
  templates.follow({
    changed: (template, previous) => previous === undefined && touchAll(podsFrom.get(keyOf(template))),
  });
}
