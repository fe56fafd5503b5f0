// Starts a server with several serving threads: this one leads, owns the store, and starts the others once it serves.

import { hostname } from 'node:os';
import { TokenKey } from '../../auth/authn/token-key.ts';
import { sharedBytes } from '../../store/threads/shared-bytes.ts';
import { StoreHub } from '../../store/threads/store-hub.ts';
import type { ServerEnvironment } from '../environment.ts';
import { storeOpener } from '../open-store.ts';
import type { ServerOptions } from '../options.ts';
import { type Server, startServer } from '../server.ts';
import { ServingThreads } from './serving-threads.ts';
import { shareOfOptions } from './shares.ts';

type LaunchEnvironment = Pick<ServerEnvironment, 'clock' | 'log' | 'outputs' | 'levels' | 'flags'>;

/**
 * Starts `options.servingThreads` threads on one port; resolves when all of them serve. What a server with one thread
 * has once, such as its store and its controllers, is in this one.
 */
export async function launchThreads(options: ServerOptions, environment: LaunchEnvironment): Promise<Server> {
  const { clock, log, outputs, flags } = environment;
  const onEtcd = options.etcdServers.length > 0;
  const ephemeral = !onEtcd && options.store === 'memory';
  const store = onEtcd ? undefined : await (await storeOpener(options, { clock, log, place: sharedBytes }))();
  const hub = store && (await StoreHub.over(store, clock));
  const tokens = ephemeral ? TokenKey.generate() : undefined;
  const team = new ServingThreads({
    ...{ options, outputs, ephemeral, flags, hub, hostname: hostname() },
    tokenKeyPem: tokens?.pem,
    fault(error) {
      // Its effects are unknown, as those of any uncaught error.
      throw error;
    },
  });
  const keys = tokens && { tokens };
  const opened = hub && Promise.resolve(hub.store);
  const server = await startServer(shareOfOptions(options), { ...environment, ephemeral, team, keys, store: opened });
  try {
    await team.start(Number(new URL(server.url).port));
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
