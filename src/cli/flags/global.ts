// Global flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const globalFlags: readonly Flag[] = [
  {
    name: 'version',
    type: 'version',
    option: 'reportedVersion',
    help: 'Print the version; raw: print all details; v1.34.4+mine: report this version.',
  },
];
