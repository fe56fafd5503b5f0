// The recorded conversations that pass must go on passing. `npm run conformance` replays all of them and lists those that
// pass anew.

import { conversations } from './conversations.ts';

conversations('conversations recorded from kube-apiserver', { store: 'memory' });
