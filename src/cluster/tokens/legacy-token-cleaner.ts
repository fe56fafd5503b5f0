// Controller that removes tokens of service accounts that older releases made and nobody uses: a year after their last
// use they are marked as invalid, and a year later deleted.

import type { JsonObject } from '../../api/object.ts';
import { dayOf } from '../../api/timestamp.ts';
import { secretsOfPod } from '../../auth/authz/pod-references.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { ConfigMap, Secret, ServiceAccount } from '../../resources/builtin/core/config/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informer } from '../informer.ts';
import { reconciler } from '../reconciler.ts';
import { DATE, DAY_MS, fateOf, INVALID_SINCE, UNUSED_MS } from './legacy-token-fate.ts';

const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const TRACKING = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' } as const;

interface Sources {
  readonly secrets: Informer<Secret>;
  readonly accounts: Informer<ServiceAccount>;
  readonly configMaps: Informer<ConfigMap>;
  readonly pods: Informer<Pod>;
}

export function legacyTokenCleaner(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'legacy-service-account-token-cleaner');
  return reconciler(context, {
    name: 'legacy-serviceaccount-token-cleaner-controller',
    async begin(keys) {
      const { informers } = context;
      const sources: Sources = {
        secrets: await informers.open<Secret>('', 'secrets'),
        accounts: await informers.open<ServiceAccount>('', 'serviceaccounts'),
        configMaps: await informers.open<ConfigMap>('', 'configmaps'),
        pods: await informers.open<Pod>('', 'pods'),
      };
      keys.add('all');
      return async () => {
        const nowMs = context.clock.now();
        if (!isTrackedLongEnough(sources, nowMs)) return DAY_MS;
        for (const secret of sources.secrets.list()) {
          const fate = fateOf(secret, nowMs);
          if (fate === 'kept' || !isGenerated(secret, sources) || isMounted(secret, sources)) continue;
          if (fate === 'deleted') await objects.delete(sources.secrets, secret);
          else {
            await objects.update<Secret>(sources.secrets, secret, ({ metadata }) => {
              metadata.labels = { ...metadata.labels, [INVALID_SINCE]: dayOf(nowMs) };
              return true;
            });
          }
        }
        return DAY_MS;
      };
    },
  });
}

/** Whether the server has noted uses for as long as a token may remain unused. */
function isTrackedLongEnough({ configMaps }: Sources, nowMs: number): boolean {
  const since = configMaps.get(TRACKING.namespace, TRACKING.name)?.data?.['since'] ?? '';
  return DATE.test(since) && nowMs >= Date.parse(since) + DAY_MS + UNUSED_MS;
}

/** Whether a token was made for its service account, which then lists it. */
function isGenerated({ metadata }: Secret, { accounts }: Sources): boolean {
  const { [ACCOUNT_NAME]: name = '', [ACCOUNT_UID]: uid = '' } = metadata.annotations ?? {};
  const account = accounts.get(metadata.namespace ?? '', name);
  if (account === undefined || (uid !== '' && uid !== account.metadata.uid)) return false;
  return account.secrets?.some((each) => each.name === metadata.name) === true;
}

function isMounted({ metadata }: Secret, { pods }: Sources): boolean {
  const { namespace = '', name = '' } = metadata;
  return pods.list(namespace).some(({ spec }) => secretsOfPod((spec ?? {}) as unknown as JsonObject).includes(name));
}
