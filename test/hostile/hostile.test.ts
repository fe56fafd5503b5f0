// One hostile client after the other: none may stop the server, keep others from their work, keep its memory or lose
// what was acknowledged. `npm run soak -- --minutes 30` does the same for longer.

import { test } from 'node:test';
import { besiege } from './siege.ts';

test('no hostile client blocks others, exhausts the memory, or causes the loss of a write', {
  timeout: 240_000,
}, async (context) => {
  await besiege({ attackMs: 1_200, rounds: 1, tell: (line) => context.diagnostic(line) });
});
