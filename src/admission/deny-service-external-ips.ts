// The plugin DenyServiceExternalIPs: rejects new external IPs of services.

import { listAt } from '../resources/value.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns, refusal } from './concerns.ts';

const SERVICES = { group: '', resource: 'services' };

export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  admit(admission) {
    const { object, previous, operation } = admission;
    if (object === undefined || operation === 'connect' || !concerns(admission, SERVICES)) return;
    const known = new Set(listAt(previous, 'spec', 'externalIPs'));
    if (listAt(object, 'spec', 'externalIPs').every((address) => known.has(address))) return;
    throw refusal(admission, 'Use of external IPs is denied by admission control');
  },
};
