// Controller that deletes bootstrap tokens that have expired.

import type { Controller } from '../../controllers/controller.ts';
import type { Secret } from '../../resources/builtin/core/config/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { expiryOf, isBootstrapToken } from './bootstrap-secrets.ts';

export function tokenCleaner(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'token-cleaner');
  return reconciler(context, {
    name: 'token-cleaner-controller',
    async begin(keys) {
      const secrets = await context.informers.open<Secret>('', 'secrets');
      secrets.follow({ changed: (secret) => isBootstrapToken(secret) && keys.add(keyOf(secret)) });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const secret = secrets.get(namespace, name);
        const atMs = secret === undefined || !isBootstrapToken(secret) ? undefined : expiryOf(secret);
        if (secret === undefined || atMs === undefined) return undefined;
        const leftMs = atMs - context.clock.now();
        if (leftMs > 0) return leftMs;
        await objects.delete(secrets, secret);
        return undefined;
      };
    },
  });
}
