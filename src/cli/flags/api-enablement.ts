// API enablement flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const apiEnablementFlags: readonly Flag[] = [
  {
    name: 'runtime-config',
    type: 'runtimeConfig',
    option: 'runtimeConfig',
    help: 'API versions to enable or disable: apps/v1=false,api/all=true.',
  },
];
