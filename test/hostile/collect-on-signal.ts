// Loaded into the server under siege: SIGUSR2 makes it collect its garbage, so that what is left is what it holds. By
// itself Node collects when it needs memory, and that may be long after an attack.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  process.on('SIGUSR2', () => collect());
}
