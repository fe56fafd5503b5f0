// Loaded into every thread of a server: a worker thread that serves fails once the file named by FAULT_FILE exists.

import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const file = process.env['FAULT_FILE'];

if (!isMainThread && file !== undefined && Object.hasOwn(workerData ?? {}, 'options')) {
  const timer = setInterval(() => {
    if (existsSync(file)) throw new Error('a fault for a test');
  }, 20);
  timer.unref();
}
