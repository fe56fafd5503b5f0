// The load generator, in its own process so that its processor time is not attributed to the server: runs tasks from
// the parent process one at a time, and returns the result of each.

import { requestOf, runLarge, SmallGets } from './beside.ts';
import { ConnectionPool, runClosedLoop } from './closed-loop.ts';
import { WatchLoad } from './fan-out.ts';
import { runFlood } from './flood.ts';
import type { LoadReply, LoadTask } from './load.ts';
import { runSteadyLoad } from './steady.ts';

const pool = new ConnectionPool();
let watches: WatchLoad | undefined;
let gets: SmallGets | undefined;

async function perform(task: LoadTask): Promise<unknown> {
  switch (task.kind) {
    case 'loop':
      return runClosedLoop(await pool.take(task.target, task.loop.connections), task.loop);
    case 'request': {
      const [connection] = await pool.take(task.target, 1);
      return connection!.request(requestOf(task.request));
    }
    case 'large':
      return runLarge(task.target, task.requests);
    case 'begin gets':
      gets = await SmallGets.begin(task.target, task.path);
      return undefined;
    case 'end gets':
      return gets!.end();
    case 'flood':
      return runFlood(task.target, task.flood);
    case 'steady':
      return runSteadyLoad(task.target, task.steady);
    case 'open watches':
      watches = await WatchLoad.open(task.target, task.fanOut);
      return undefined;
    case 'write':
      return watches!.run(task.write);
    case 'close':
      watches?.close();
      pool.close();
      return undefined;
  }
}

process.on('message', (task: LoadTask) => {
  perform(task).then(
    (result) => process.send!({ result } satisfies LoadReply),
    (error: Error) => process.send!({ error: error.message } satisfies LoadReply),
  );
});
