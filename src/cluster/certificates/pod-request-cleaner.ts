// Controller that deletes PodCertificateRequests a while after their creation, when every kubelet is done with its own.

import type { Controller } from '../../controllers/controller.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed } from '../informer.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';

const GROUP = 'certificates.k8s.io';
const RESOURCE = 'podcertificaterequests';
const KEPT_MS = 900_000;

/** It does nothing where the resource is not served. */
export function podCertificateRequestCleaner(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'podcertificaterequestcleaner');
  return reconciler(context, {
    name: 'podcertificaterequest-cleaner-controller',
    async begin(keys) {
      if (!context.informers.serves(GROUP, RESOURCE)) return async () => undefined;
      const requests = await context.informers.open<Informed>(GROUP, RESOURCE);
      requests.follow({ changed: (request, previous) => previous === undefined && keys.add(keyOf(request)) });
      return async (key) => {
        const { namespace, name } = splitKey(key);
        const request = requests.get(namespace, name);
        if (request === undefined) return undefined;
        const leftMs = Date.parse(request.metadata.creationTimestamp ?? '') + KEPT_MS - context.clock.now();
        if (leftMs > 0) return leftMs;
        await objects.delete(requests, request);
        return undefined;
      };
    },
  });
}
