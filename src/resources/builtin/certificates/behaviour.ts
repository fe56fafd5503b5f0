// What a signing request says of who made it: always the truth, and for good.

import type { Behaviour } from '../../definition.ts';
import { objectIn } from '../../fill-in.ts';

export const signingRequestBehaviour: Partial<Behaviour> = {
  prepareForCreate: (request, { user }) => {
    const spec = objectIn(request, 'spec');
    for (const member of ['username', 'uid', 'groups', 'extra']) delete spec[member];
    if (user.name !== '') spec['username'] = user.name;
    if (user.uid !== '') spec['uid'] = user.uid;
    if (user.groups.length > 0) spec['groups'] = [...user.groups];
    const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
    if (extra.length > 0) spec['extra'] = Object.fromEntries(extra);
    request['status'] = {};
  },
  prepareForUpdate: (next, previous) => {
    next['spec'] = previous['spec'];
    next['status'] = previous['status'];
  },
};
