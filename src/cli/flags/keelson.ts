// Keelson flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const keelsonFlags: readonly Flag[] = [
  {
    name: 'console',
    type: 'bool',
    option: 'console',
    help: 'Whether to print a link to a page that shows the cluster.',
  },
  { name: 'data-dir', type: 'string', option: 'dataDir', help: 'Where objects, keys, kubeconfig are kept.' },
  {
    name: 'store',
    type: 'string',
    option: 'store',
    help: 'Where objects live: embedded, or memory without files.',
  },
];
