// The areas of the differential tester.

import type { Area } from './area.ts';
import { creates } from './areas/creates.ts';
import { custom } from './areas/custom.ts';
import { http } from './areas/http.ts';
import { lists } from './areas/lists.ts';
import { updates } from './areas/updates.ts';

export const areas: readonly Area[] = [creates, updates, custom, http, lists];
