// Creates of every built-in kind, with bodies that are right or nearly so.

import type { Area } from '../area.ts';
import { mutatedBody } from '../mutate-body.ts';
import { collectionOf, isJudging, withOwnName } from '../objects.ts';

const rightPercent = 10;
const acceptedPercent = 75;
const dryRunPercent = 10;

export const creates: Area = {
  name: 'creates',
  async run({ session, random, bodies }) {
    const kind = random.pick(bodies.kinds.filter(({ all }) => all.length > 0));
    const base = random.pick(kind.accepted.length > 0 && random.chance(acceptedPercent) ? kind.accepted : kind.all);
    const named = withOwnName(kind, base);
    const mutation = { bodies, random, changes: random.pick([1, 1, 2, 4]) };
    const body = random.chance(rightPercent) ? named : mutatedBody(kind.version.schema, named, mutation);
    const query = {
      ...((isJudging(kind) || random.chance(dryRunPercent)) && { dryRun: 'All' }),
      ...(random.chance(10) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
    };
    const path = collectionOf(kind);
    await session.ask({ method: 'POST', path, query, body });
  },
};
