// Logs flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const logsFlags: readonly Flag[] = [
  { name: 'v', letter: 'v', type: 'int', option: 'verbosity', help: 'How much to log; larger is more.' },
];
