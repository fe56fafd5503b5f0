// Etcd flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const etcdFlags: readonly Flag[] = [
  {
    name: 'watch-cache',
    type: 'bool',
    option: 'watchCache',
    help: 'Serve reads from memory; it can not be turned off.',
  },
];
