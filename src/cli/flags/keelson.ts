// Keelson flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const keelsonFlags: readonly Flag[] = [
  {
    name: 'console',
    type: 'bool',
    option: 'console',
    help: 'Print a link to the console.',
  },
  { name: 'data-dir', type: 'string', option: 'dataDir', help: 'Folder for objects, keys and the kubeconfig.' },
  {
    name: 'store',
    type: 'string',
    option: 'store',
    help: 'The store: embedded, or memory.',
  },
];
