// Defaults of CertificateSigningRequest.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { PodCertificateRequest } from './v1alpha1-objects.ts';

const DAY_SECONDS = 86_400;

export function podCertificateRequestDefaults(request: Draft<PodCertificateRequest>): void {
  fillIn((request.spec ??= {}), { maxExpirationSeconds: DAY_SECONDS });
}
