// Controller that deletes certificate requests that are of no more use: an hour after they were signed, denied or failed,
// a day after they were made if nobody has decided about them, or when their certificate has expired.

import { X509Certificate } from 'node:crypto';
import type { Controller } from '../../controllers/controller.ts';
import type { CertificateSigningRequest } from '../../resources/builtin/certificates/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { keyOf, reconciler } from '../reconciler.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export function certificateCleanerController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'certificate-controller');
  return reconciler(context, {
    name: 'certificatesigningrequest-cleaner-controller',
    async begin(keys) {
      const requests = await context.informers.open<CertificateSigningRequest>(
        'certificates.k8s.io',
        'certificatesigningrequests',
      );
      requests.follow({ changed: (request) => keys.add(keyOf(request)) });
      return async (name) => {
        const request = requests.get('', name);
        const endMs = request === undefined ? undefined : endOf(request);
        if (request === undefined || endMs === undefined) return undefined;
        // Deleted once the time has passed.
        const leftMs = endMs - context.clock.now() + 1;
        if (leftMs > 0) return leftMs;
        await objects.delete(requests, request);
        return undefined;
      };
    },
  });
}

/** When a request is to be deleted; undefined if it is not. */
function endOf({ metadata, status }: CertificateSigningRequest): number | undefined {
  const { conditions = [], certificate = '' } = status ?? {};
  if (conditions.length === 0) return Date.parse(metadata.creationTimestamp ?? '') + DAY_MS;
  const ends = conditions.flatMap(({ type, lastUpdateTime }) => {
    if (type === 'Approved' && certificate === '') return [];
    const since = Date.parse(lastUpdateTime ?? '');
    const decided = Number.isNaN(since) ? [] : [since + HOUR_MS];
    return type === 'Approved' ? [...decided, ...expiryOf(certificate)] : decided;
  });
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function expiryOf(certificate: string): number[] {
  try {
    return [new X509Certificate(atob(certificate)).validToDate.getTime()];
  } catch {
    return [];
  }
}
