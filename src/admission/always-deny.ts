// The plugin AlwaysDeny: rejects every write, for testing what comes before admission.

import type { AdmissionPlugin } from './chain.ts';
import { refusal } from './concerns.ts';

export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  admit(admission) {
    throw refusal(admission, 'admission control is denying all modifications');
  },
};
