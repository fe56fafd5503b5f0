// A server with several serving threads, for tests that need no more of it than its answers.

import { consoleLog } from '../src/server/console-log.ts';
import { LogLevels } from '../src/server/log-levels.ts';
import { type ServerOptions, serverOptions } from '../src/server/options.ts';
import { ProcessOutput } from '../src/server/process-output.ts';
import type { Server } from '../src/server/server.ts';
import { systemClock as clock } from '../src/server/system-clock.ts';
import { launchThreads } from '../src/server/threads/launch-threads.ts';

/** Starts it on a free port, with objects in memory by default; nothing is logged. */
export async function startThreadedServer(threads: number, given: Partial<ServerOptions> = {}): Promise<Server> {
  const options = serverOptions({ store: 'memory', securePort: 0, servingThreads: threads, ...given });
  const output = new ProcessOutput('stderr', (_text, done) => done(undefined));
  const levels = new LogLevels(options);
  const log = consoleLog({ write: (line) => output.put(line), clock, levels });
  const outputs = { out: output, err: output };
  return await launchThreads(options, { clock, log, levels, outputs, flags: () => new Map() });
}
