// The limit on the fields of one object in a request body. Enumerating an object's keys cannot pause, and no other request
// is served meanwhile.

import { limits } from '../base/limits.ts';
import { errors } from './errors.ts';

/** @throws ApiError 413 for more fields than one object in a body may have */
export function checkWidth(members: number): void {
  if (members <= limits.objectMembers) return;
  throw errors.bodyTooLarge(`Request entity too large: an object in it has more than ${limits.objectMembers} members`);
}
