// `npm run growth [-- PART-OF-A-NAME]`: every list and map of every built-in kind is filled with 1,000 and with 8,000 items;
// what takes more than proportionally longer is printed, and makes the exit status 1.

import { superlinear } from './growth.ts';

const part = process.argv[2] ?? '';
const found = await superlinear(
  (name) => name.includes(part),
  (line) => console.log(line),
);
console.log(`${found.length} requests grow faster than their items`);
process.exitCode = found.length === 0 ? 0 : 1;
