// The conversations whose audit events were recorded from kube-apiserver, each in a file with its name.

import { selectivePolicy, selectiveSteps } from './selective-steps.ts';
import { policy, steps } from './steps.ts';
import type { Conversation } from './talk.ts';

export const conversations: readonly Conversation[] = [
  { name: 'recorded', policy, steps },
  { name: 'recorded-selective', policy: selectivePolicy, steps: selectiveSteps },
];
