// Loaded into the server under siege: SIGUSR2 makes it collect its garbage, so that what is left is what it holds. By
// itself Node collects when it needs memory, and that may be long after an attack.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

interface Collection {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (collection: Collection) => void;
  // Only the last resort gives back the pages of the heap that hardly anything stands on any more.
  process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
