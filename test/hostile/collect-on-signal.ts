// Loaded into the attacked server: SIGUSR2 triggers a full garbage collection, so that only live memory is measured. By
// itself Node collects when it needs memory, possibly long after an attack.

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
  // Only a last-resort collection releases heap pages that are almost empty.
  process.on('SIGUSR2', () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
