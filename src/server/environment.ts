// The environment of a server: clock, randomness, log, connections and keys, which tests replace.

import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TokenAuthenticator } from '../auth/authn/authenticator.ts';
import { Activity } from '../base/activity.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { Simulated } from '../cluster/nodes/simulation.ts';
import type { RequestHooks } from '../http/filters/request-hooks.ts';
import { type Dial, dial } from '../outbound/dial.ts';
import type { Store } from '../store/store.ts';
import type { ServerKeys } from './identity.ts';
import { LogLevels } from './log-levels.ts';
import { defaultServerOptions, type ServerOptions } from './options.ts';
import { processLog } from './process-log.ts';
import { type ProcessOutputs, processOutputs } from './process-output.ts';
import { SystemRandom, systemClock } from './system-clock.ts';
import type { Team } from './threads/team.ts';

/** What a server runs on; tests supply their own. */
export interface ServerEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** @internal The outputs of the process, to which the log and audit events may go. */
  readonly outputs: ProcessOutputs;
  /** @internal The log verbosity, which can be changed while the server runs. */
  readonly levels: LogLevels;
  /** The name of the machine, by which other servers on the same store know this one. */
  readonly hostname: string;
  /** @internal Token authenticators in addition to those in the options. */
  readonly tokens: readonly TokenAuthenticator[];
  /** False: no port is opened, and only fetch() reaches the server. */
  readonly listens: boolean;
  /** @internal How connections to kubelets, pods and services are opened. */
  readonly dial: Dial;
  /** True: certificates are created in memory, and no file is read or written except those named by options. */
  readonly ephemeral: boolean;
  /** @internal The identity of an ephemeral server that this one replaces or belongs to; undefined for a new one. */
  readonly keys: Partial<ServerKeys> | undefined;
  /** The folder for the administrator's kubeconfig; undefined for none. */
  readonly kubeconfigFolder: string | undefined;
  /** @internal A store that is open or being opened; by default the server opens the one in the options. It closes it. */
  readonly store: Promise<Store> | undefined;
  /** @internal The serving threads of which this one is one; undefined if it is alone. */
  readonly team: Team | undefined;
  /** @internal Counts the work of controllers, so that tests can await its end. */
  readonly activity: Activity;
  /** @internal Where simulated nodes are found once they run. */
  readonly simulated: Simulated;
  /** @internal Hooks for tests; undefined for none. */
  readonly hooks: RequestHooks | undefined;
  /** @internal Values of command-line flags by name; undefined without a command line. */
  readonly flags: (() => ReadonlyMap<string, string>) | undefined;
}

/** @internal Completes an environment with the defaults for these options. */
export function completeEnvironment(options: ServerOptions, given: Partial<ServerEnvironment>): ServerEnvironment {
  const clock = given.clock ?? systemClock;
  const levels = given.levels ?? new LogLevels(options);
  const outputs = given.outputs ?? processOutputs();
  const ephemeral = given.ephemeral ?? (options.store === 'memory' && options.etcdServers.length === 0);
  return {
    clock,
    random: new SystemRandom(),
    activity: new Activity(nextTurn),
    log: processLog(options, { clock, levels, outputs }),
    outputs,
    levels,
    hostname: hostname(),
    tokens: [],
    listens: true,
    dial,
    store: undefined,
    keys: undefined,
    team: undefined,
    flags: undefined,
    hooks: undefined,
    simulated: new Simulated(),
    kubeconfigFolder: given.ephemeral === true ? undefined : kubeconfigFolder(options, ephemeral),
    ...given,
    ephemeral,
  };
}

/** A server that keeps objects in memory writes no file, except a kubeconfig if --data-dir names another folder. */
function kubeconfigFolder({ dataDir }: ServerOptions, ephemeral: boolean): string | undefined {
  return ephemeral && dataDir === defaultServerOptions.dataDir ? undefined : dataDir;
}
