// `keelson envtest-assets`: a folder of programs for KUBEBUILDER_ASSETS, so that suites based on controller-runtime's
// envtest run on Keelson. The programs are two-line shell scripts that run this Keelson on this Node, wherever the
// suite is started.

import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { CommandProcess } from '../serve.ts';

const usage = `Create the programs that controller-runtime's envtest starts: kube-apiserver and etcd, and kubectl if one is installed.

Usage:
  keelson envtest-assets DIR

Then run the suite with KUBEBUILDER_ASSETS set to the absolute path of DIR, as printed. The programs contain the paths of
Keelson and Node; run the command again when either moves. Objects are kept in memory.
`;

/** Paths that the command depends on. */
interface AssetsEnvironment {
  /** The Node executable. */
  readonly node: string;
  /** The file that starts Keelson; undefined if the executable is Keelson itself. */
  readonly program: string | undefined;
  /** The search path for programs, like the variable PATH. */
  readonly path: string;
  readonly platform: string;
}

/** Runs the command; returns the exit status. */
export function envtestAssets(
  argv: readonly string[],
  command: Pick<CommandProcess, 'out' | 'err'>,
  environment: AssetsEnvironment = ownEnvironment(),
): number {
  if (argv.includes('--help') || argv.includes('-h')) {
    command.out(usage);
    return 0;
  }
  const [given, ...others] = argv;
  if (given === undefined || given.startsWith('-') || others.length > 0) {
    command.err("keelson: envtest-assets needs one folder; see 'keelson envtest-assets --help'\n");
    return 1;
  }
  if (environment.platform === 'win32') {
    command.err('keelson: envtest on Windows starts only .exe files; run the suite in WSL, Linux or macOS\n');
    return 1;
  }
  const folder = resolve(given);
  try {
    mkdirSync(folder, { recursive: true });
    const { node, program } = environment;
    const keelson = program === undefined ? [node] : [node, program];
    writeProgram(join(folder, 'kube-apiserver'), [...keelson, 'envtest-kube-apiserver']);
    writeProgram(join(folder, 'etcd'), [...keelson, 'envtest-etcd']);
    const kubectl = findProgram('kubectl', environment.path, folder);
    if (kubectl === undefined) command.err('keelson: kubectl is not installed, so the folder does not contain it\n');
    else writeProgram(join(folder, 'kubectl'), [kubectl]);
  } catch (error) {
    command.err(`keelson: ${(error as Error).message}\n`);
    return 1;
  }
  command.out(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`);
  return 0;
}

function ownEnvironment(): AssetsEnvironment {
  // In the sources this file is two folders below the entry point; the build is next to bin/.
  const [source, built] = ['../../../bin/keelson.js', '../bin/keelson.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  ) as [string, string];
  const program = isSea() ? undefined : import.meta.url.endsWith('.ts') ? source : built;
  return { node: process.execPath, program, path: process.env['PATH'] ?? '', platform: process.platform };
}

/** `exec`, so that signals reach the program and not the shell. */
function writeProgram(path: string, words: readonly string[]): void {
  writeFileSync(path, `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`);
  chmodSync(path, 0o755);
}

/** As a single shell word. */
function quoted(text: string): string {
  return /^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function findProgram(name: string, path: string, except: string): string | undefined {
  const places = path.split(delimiter).filter((place) => place !== '' && resolve(place) !== except);
  return places.map((place) => resolve(place, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
