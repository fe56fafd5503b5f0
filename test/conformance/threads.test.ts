// The recorded conversations once more, with several serving threads: what clients see does not depend on the thread that
// has their connection.

import { conversations } from './conversations.ts';

conversations('conversations recorded from kube-apiserver, with three serving threads', { store: 'threads' });
