// The environment of a server: clock, randomness, log, connections and keys, which tests replace with their own.

import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { RequestHooks } from '../http/request-hooks.ts';
import { type Dial, dial } from '../outbound/dial.ts';
import type { Store } from '../store/store.ts';
import type { ServerKeys } from './identity.ts';
import { LogLevels } from './log-levels.ts';
import { defaultServerOptions, type ServerOptions } from './options.ts';
import { processLog } from './process-log.ts';
import { SystemRandom, systemClock } from './system-clock.ts';

/** What a server runs on; tests hand in their own. */
export interface ServerEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** How much detail the log has, for who changes that while the server runs. */
  readonly levels: LogLevels;
  /** More sources of bearer tokens than the options name. */
  readonly tokens: readonly TokenAuthenticator[];
  /** False: no port is opened, only fetch() reaches the server. */
  readonly listens: boolean;
  /** How connections to kubelets, pods and services are opened. */
  readonly dial: Dial;
  /** True: certificates are made in memory and no file is read or written but those that options name. */
  readonly ephemeral: boolean;
  /** What an ephemeral server is known by, where another was known by it before; undefined: it makes its own. */
  readonly keys: ServerKeys | undefined;
  /** The folder that the administrator's kubeconfig is written to; undefined for none. */
  readonly kubeconfigFolder: string | undefined;
  /** A store that is open or being opened; without one the server opens what the options say. It closes it. */
  readonly store: Promise<Store> | undefined;
  /** What tests do with requests; undefined for nothing. */
  readonly hooks: RequestHooks | undefined;
  /** Values of the command line's flags by name; undefined where there is no command line. */
  readonly flags: (() => ReadonlyMap<string, string>) | undefined;
}

/** Fills in what is not given with what a server of these options runs on. */
export function completeEnvironment(options: ServerOptions, given: Partial<ServerEnvironment>): ServerEnvironment {
  const clock = given.clock ?? systemClock;
  const levels = given.levels ?? new LogLevels(options);
  const ephemeral = given.ephemeral ?? (options.store === 'memory' && options.etcdServers.length === 0);
  return {
    clock,
    random: new SystemRandom(),
    log: processLog(options, clock, levels),
    levels,
    tokens: [],
    listens: true,
    dial,
    store: undefined,
    keys: undefined,
    flags: undefined,
    hooks: undefined,
    kubeconfigFolder: given.ephemeral === true ? undefined : kubeconfigFolder(options, ephemeral),
    ...given,
    ephemeral,
  };
}

/** Who keeps objects in memory finds no file anywhere, and a kubeconfig where --data-dir names another folder. */
function kubeconfigFolder({ dataDir }: ServerOptions, ephemeral: boolean): string | undefined {
  return ephemeral && dataDir === defaultServerOptions.dataDir ? undefined : dataDir;
}
