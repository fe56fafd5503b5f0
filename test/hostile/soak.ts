// `npm run soak -- --minutes 30`: every attack, again and again.

import { parseArgs } from 'node:util';
import { attacks } from './attacks.ts';
import { besiege } from './siege.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const attackMs = 10_000;
const rounds = Math.max(1, Math.round((Number(values.minutes) * 60_000) / (attackMs * Object.keys(attacks).length)));
await besiege({ attackMs, rounds, tell: (line) => console.log(line) });
