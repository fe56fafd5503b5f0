// `npm run soak -- --minutes 30 --seed 7`: every attack, again and again, in orders that the seed gives. It prints what
// each attack did to others, and ends with 1 when they were kept from their work, memory was kept or a write was lost.

import { parseArgs } from 'node:util';
import { allAttacks, besiege } from './siege.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const attackMs = 5_000;
const count = Object.keys(allAttacks).length;
const rounds = Math.max(1, Math.round((Number(values.minutes) * 60_000) / (attackMs * count)));
console.log(`seed ${seed}, ${rounds} rounds of ${count} attacks, ${attackMs / 1_000} s each`);
await besiege({ attackMs, rounds, seed, tell: (line) => console.log(`${new Date().toISOString()} ${line}`) });
