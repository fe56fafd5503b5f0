// What requests of certificates are when they do not say.

import type { JsonObject } from '../../../api/object.ts';
import { fillIn, objectIn } from '../../fill-in.ts';

const DAY_SECONDS = 86_400;

export function podCertificateRequestDefaults(request: JsonObject): void {
  fillIn(objectIn(request, 'spec'), { maxExpirationSeconds: DAY_SECONDS });
}
