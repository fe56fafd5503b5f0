// Creates of every built-in kind, with bodies that are valid or nearly valid.

import type { SeededRandom } from '../../../src/base/seeded-random.ts';
import type { Area } from '../area.ts';
import type { Body, Kind } from '../bodies.ts';
import { mutatedBody } from '../mutate-body.ts';
import { collectionOf, isJudging, takesAddresses, withOwnName } from '../objects.ts';

const manifestPercent = 30;
const rightPercent = 10;
const acceptedPercent = 75;
const dryRunPercent = 10;

export const creates: Area = {
  name: 'creates',
  async run({ session, random, bodies, alone }) {
    const kind = random.pick(bodies.kinds.filter(({ all, manifests }) => all.length + manifests.length > 0));
    const base = random.pick(basesOf(kind, random));
    const named = withOwnName(kind, base);
    const mutation = { bodies, random, changes: random.pick([1, 1, 2, 4]) };
    const body = random.chance(rightPercent) ? named : mutatedBody(kind.version.schema, named, mutation);
    const query = {
      ...((isJudging(kind) || random.chance(dryRunPercent)) && { dryRun: 'All' }),
      ...(random.chance(10) && { fieldValidation: random.pick(['Strict', 'Ignore']) }),
    };
    const path = collectionOf(kind);
    if (takesAddresses(body)) await alone();
    await session.ask({ method: 'POST', path, query, body });
  },
};

/** The sources of bodies: whole objects, accepted bodies, or any recorded ones. */
function basesOf({ manifests, accepted, all }: Kind, random: SeededRandom): readonly Body[] {
  if (manifests.length > 0 && (all.length === 0 || random.chance(manifestPercent))) return manifests;
  return accepted.length > 0 && random.chance(acceptedPercent) ? accepted : all;
}
