// `npm run turns [-- PART-OF-A-NAME]`: sends the largest bodies that are taken and prints how long each kept the event
// loop in one turn, the longest first.

import { longestTurns } from './turns.ts';

const part = process.argv[2] ?? '';
const rows = await longestTurns((name) => name.includes(part));
for (const { name, status, longestMs, wholeMs } of rows.toSorted((one, other) => other.longestMs - one.longestMs)) {
  console.log(`${longestMs.toFixed(1).padStart(8)} ms of ${wholeMs.toFixed(0).padStart(5)}  ${status}  ${name}`);
}
