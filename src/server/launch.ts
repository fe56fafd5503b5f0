// Starts the single server of a process as fast as possible: its store opens in a thread of its own while the rest of
// the program is still being loaded.

import { dataFolderError } from './data-folder-error.ts';
import type { ServerEnvironment } from './environment.ts';
import { assertCanListen } from './listen-error.ts';
import { LogLevels } from './log-levels.ts';
import { storeOpener } from './open-store.ts';
import { type ServerOptions, serverOptions, servingThreads } from './options.ts';
import { processLog } from './process-log.ts';
import { processOutputs } from './process-output.ts';
import type { Server } from './server.ts';
import { systemClock as clock } from './system-clock.ts';

/**
 * Like startServer, with the real clock and a log on stderr.
 *
 * @param flags values of the command-line flags, for /flagz
 */
export async function launchServer(
  given: Partial<ServerOptions>,
  flags?: () => ReadonlyMap<string, string>,
): Promise<Server> {
  const asked = serverOptions(given);
  await assertCanListen(asked);
  const options = { ...asked, servingThreads: servingThreads(asked) };
  const levels = new LogLevels(options);
  const outputs = processOutputs();
  const log = processLog(options, { clock, levels, outputs });
  const environment = { clock, log, outputs, levels, flags };
  try {
    if (options.servingThreads === 1) return await launch(options, environment);
    return await (await import('./threads/launch-threads.ts')).launchThreads(options, environment);
  } catch (error) {
    throw dataFolderError(error, options);
  }
}

async function launch(
  options: ServerOptions,
  environment: Pick<ServerEnvironment, 'clock' | 'log'> & Partial<ServerEnvironment>,
): Promise<Server> {
  if (options.etcdServers.length > 0) {
    const { startServer } = await import('./server.ts');
    return await startServer(options, environment);
  }
  const open = await storeOpener(options, environment);
  const store = open();
  // The failure is reported to whoever awaits the store; until then it must not end the process.
  store.catch(() => {});
  try {
    const { startServer } = await import('./server.ts');
    return await startServer(options, { ...environment, store });
  } catch (error) {
    // Its thread would keep the process alive. A server that failed to start has closed it already; closing twice is
    // harmless.
    await store.then(
      (opened) => opened.close(),
      () => {},
    );
    throw error;
  }
}
