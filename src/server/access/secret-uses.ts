// The label with the day on which a secret's token was last used: a controller of the cluster marks tokens that have
// not been used for a year as invalid, and eventually removes them.

import { dayOf } from '../../api/timestamp.ts';
import type { UsedSecret } from '../../auth/authn/secret-tokens.ts';
import { limits } from '../../base/limits.ts';
import type { Log } from '../../base/log.ts';
import { ControlledObjects } from '../../controllers/controlled-objects.ts';
import type { ControllerContext } from '../../controllers/controller.ts';

const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const DAY_MS = 24 * 3600 * 1000;

/**
 * Receives uses of tokens, and labels each secret once a day. Failures are logged; the next use retries, but not before
 * the token cache expires in Kubernetes.
 */
export function labelUsedSecrets(
  context: Pick<ControllerContext, 'catalog' | 'writes' | 'clock'> & { readonly log: Log },
): (secret: UsedSecret) => void {
  const objects = new ControlledObjects(context, 'legacy-service-account-token-tracking-controller', 'kube-apiserver');
  const definition = context.catalog.find('', 'secrets');
  /** When each secret was last labelled, by UID; the oldest is evicted when there are too many. */
  const tried = new Map<string, number>();
  return ({ namespace, name, uid, labels }) => {
    const now = context.clock.now();
    const last = labels[LAST_USED];
    if (definition === undefined || last === dayOf(now) || last === dayOf(now + DAY_MS)) return;
    if (now - (tried.get(uid) ?? 0) < limits.tokenCacheMs) return;
    tried.delete(uid);
    if (tried.size >= limits.rememberedCredentials) {
      for (const oldest of tried.keys()) {
        tried.delete(oldest);
        break;
      }
    }
    tried.set(uid, now);
    objects
      .change({ definition, namespace, name }, ({ metadata }) => {
        if (metadata.uid !== uid || metadata.labels?.[LAST_USED] === dayOf(now)) return false;
        metadata.labels = { ...metadata.labels, [LAST_USED]: dayOf(now) };
        return true;
      })
      .catch((error: unknown) => {
        context.log.error('a secret could not be labelled with the day of its last use', { namespace, name, error });
      });
  };
}
