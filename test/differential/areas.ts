// The areas of the differential tester.

import type { Area } from './area.ts';
import { access } from './areas/access.ts';
import { creates } from './areas/creates.ts';
import { custom } from './areas/custom.ts';
import { deletions } from './areas/deletions.ts';
import { devices } from './areas/devices.ts';
import { expressions } from './areas/expressions.ts';
import { http } from './areas/http.ts';
import { lifecycles } from './areas/lifecycles.ts';
import { lists } from './areas/lists.ts';
import { mutations } from './areas/mutations.ts';
import { policies } from './areas/policies.ts';
import { quotas } from './areas/quotas.ts';
import { representations } from './areas/representations.ts';
import { schemas } from './areas/schemas.ts';
import { subresources } from './areas/subresources.ts';
import { updates } from './areas/updates.ts';
import { watches } from './areas/watches.ts';

export const areas: readonly Area[] = [
  creates,
  updates,
  lifecycles,
  subresources,
  deletions,
  quotas,
  devices,
  representations,
  custom,
  schemas,
  http,
  lists,
  watches,
  access,
  policies,
  mutations,
  expressions,
];
