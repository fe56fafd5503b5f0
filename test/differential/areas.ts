// The areas of the differential tester.

import type { Area } from './area.ts';
import { creates } from './areas/creates.ts';
import { updates } from './areas/updates.ts';

export const areas: readonly Area[] = [creates, updates];
