// `keelson envtest-assets`: a folder of programs for KUBEBUILDER_ASSETS, so that suites based on controller-runtime's
// envtest run on Keelson.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parseKubernetesVersion } from '../../server/options.ts';
import type { CommandProcess } from '../command-process.ts';
import { reportFailure, UsageError } from '../failure.ts';
import { type AssetsEnvironment, ownEnvironment, platformProblem, quoted, writePrograms } from './programs.ts';
import { serverFlagHelp, serverFlagOptions, serverFlags } from './server-flags.ts';

const usage = `Create the programs that controller-runtime's envtest starts: kube-apiserver, etcd and kubectl.

Usage:
  keelson envtest-assets [flags] DIR

Flags:
  --kubernetes-version VERSION   The release of Kubernetes that kube-apiserver is, 1.24 to 1.37 (default 1.34).
  --controllers NAMES            ${serverFlagHelp.controllers.replace('\n', `\n${' '.repeat(33)}`)}
  --nodes NUMBER                 ${serverFlagHelp.nodes}

Then run the suite with KUBEBUILDER_ASSETS set to the absolute path of DIR, as printed. The folder may be copied; run the
command again when Keelson or Node moves without it. kubectl runs the one that is installed. Objects are kept in memory.
`;

const flags = {
  'kubernetes-version': { type: 'string' },
  ...serverFlagOptions,
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws UsageError */
function minorOf(version: string): number {
  try {
    return parseKubernetesVersion(version).minor;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs the command; returns the exit status. */
export function envtestAssets(
  argv: readonly string[],
  command: Pick<CommandProcess, 'out' | 'err'>,
  environment: AssetsEnvironment = ownEnvironment(),
): number {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
    if (values.help === true) {
      command.out(usage);
      return 0;
    }
    const [given, ...others] = positionals;
    if (given === undefined || others.length > 0) throw new UsageError('envtest-assets needs one folder');
    const problem = platformProblem(environment.platform);
    if (problem !== undefined) throw new Error(problem);
    const version = values['kubernetes-version'];
    const minor = version === undefined ? undefined : minorOf(version);
    const { controllers, nodes } = values;
    const folder = resolve(given);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
      throw new Error(`${given} is a file: name a folder for the programs`);
    }
    const warning = writePrograms(folder, serverFlags({ minor, controllers, nodes }), environment);
    if (warning !== undefined) command.err(`keelson: ${warning}\n`);
    command.out(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
    return 0;
  } catch (error) {
    return reportFailure(error, 'envtest-assets', command);
  }
}
