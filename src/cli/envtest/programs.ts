// The programs of an envtest environment: short shell scripts that run Keelson on Node. Their folder may be moved or
// copied: what is near is looked for by its relative path first, then where it was when the script was written, and a
// script that does not find what it needs says so.

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../server/files.ts';

/** What the programs depend on. */
export interface AssetsEnvironment {
  /** The Node executable. */
  readonly node: string;
  /** The file that starts Keelson; undefined if the executable is Keelson itself. */
  readonly program: string | undefined;
  /** The search path for programs, like the variable PATH. */
  readonly path: string;
  readonly platform: string;
  readonly arch: string;
}

/** The environment of this process. */
export function ownEnvironment(): AssetsEnvironment {
  // In the sources this file is two folders below the entry point; the build is next to bin/.
  const [source, built] = ['../../../bin/keelson.js', '../bin/keelson.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  ) as [string, string];
  const program = isSea() ? undefined : import.meta.url.endsWith('.ts') ? source : built;
  const { execPath: node, platform, arch } = process;
  return { node, program, path: process.env['PATH'] ?? '', platform, arch };
}

/** Why there cannot be an envtest environment on a platform; undefined if there can. */
export function platformProblem(platform: string): string | undefined {
  return platform === 'win32'
    ? 'envtest on Windows starts only .exe files; run the suite in WSL, Linux or macOS'
    : undefined;
}

/** What every script says of itself, by which it is recognized. */
const MARK = 'of an envtest environment on Keelson';

/** How many bytes of a program are read to recognize it. */
const MARK_WITHIN_BYTES = 99;

/**
 * Writes the programs into a folder, except those that are there already.
 *
 * @param flags the arguments of kube-apiserver, before those of suites
 * @returns a warning if kubectl is not installed
 * @throws Error of the file system
 */
export function writePrograms(
  folder: string,
  flags: readonly string[],
  environment: AssetsEnvironment,
): string | undefined {
  makeFolder(folder, 0o777);
  const apiServer = ['envtest-kube-apiserver', ...flags.map(quoted)].join(' ');
  writeProgram(folder, 'kube-apiserver', keelsonScript(folder, apiServer, environment));
  writeProgram(folder, 'etcd', keelsonScript(folder, 'envtest-etcd', environment));
  const kubectl = findKubectl(environment.path);
  writeProgram(folder, 'kubectl', kubectlScript(kubectl));
  return kubectl === undefined
    ? 'kubectl is not installed, and suites that run it fail until it is in PATH'
    : undefined;
}

/** Whether the programs of a folder are Keelson's, or it has none. */
export function isOwnFolder(folder: string): boolean {
  const path = join(folder, 'kube-apiserver');
  return !exists(path) || isOwnProgram(path);
}

function writeProgram(folder: string, name: string, lines: readonly string[]): void {
  const path = join(folder, name);
  const text = ['#!/bin/sh', `# ${name} ${MARK}`, ...lines, ''].join('\n');
  if (exists(path) && isExecutable(path) && readFileSync(path, 'utf8') === text) return;
  // Suites may be starting the program that is there.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
}

/** `exec`, so that signals reach the program and not the shell. */
function keelsonScript(folder: string, words: string, { node, program }: AssetsEnvironment): string[] {
  if (program === undefined) {
    return [...search(folder, { variable: 'keelson', title: 'Keelson', path: node }), `exec "$keelson" ${words} "$@"`];
  }
  return [
    ...search(folder, { variable: 'keelson', title: 'Keelson', path: program }),
    ...search(folder, { variable: 'node', title: 'Node.js', path: node, otherwise: '"$(command -v node)"' }),
    `exec "$node" "$keelson" ${words} "$@"`,
  ];
}

/** A file that a script needs. */
interface Sought {
  /** The shell variable for its path. */
  readonly variable: string;
  /** How it is named when it is missing. */
  readonly title: string;
  /** Where it is now. */
  readonly path: string;
  /** A shell word for where else it may be: in PATH. */
  readonly otherwise?: string;
}

/** Lines that set the variable to the first place of a file that exists. */
function search(folder: string, { variable, title, path, otherwise }: Sought): string[] {
  const places = [...nearby(folder, path), quoted(path), ...(otherwise === undefined ? [] : [otherwise])];
  const also = otherwise === undefined ? '' : ' and not in PATH';
  const shown = path.replaceAll(/[\\"$`]/g, '\\$&');
  const complaint = `\${0##*/}: ${title} is not at ${shown}${also}; run 'keelson ${COMMANDS}' again`;
  return [
    `for ${variable} in ${places.join(' ')}; do [ -f "$${variable}" ] && break; done`,
    `[ -f "$${variable}" ] || { echo "${complaint}" >&2; exit 127; }`,
  ];
}

const COMMANDS = "setup-envtest use' or 'keelson envtest-assets";

/** The path relative to the script, if it has more than the root in common with the folder. */
function nearby(folder: string, path: string): string[] {
  const [, top] = folder.split('/');
  return top === path.split('/')[1] ? [`"\${0%/*}"/${quoted(relative(folder, path))}`] : [];
}

/** kubectl may be installed later, and elsewhere where the folder is copied to. */
function kubectlScript(kubectl: string | undefined): string[] {
  return [
    ...(kubectl === undefined ? [] : [`[ -x ${quoted(kubectl)} ] && exec ${quoted(kubectl)} "$@"`]),
    'IFS=:; set -f',
    'for place in $PATH; do',
    '  [ -f "$place/kubectl" ] && [ -x "$place/kubectl" ] || continue',
    `  head -c ${MARK_WITHIN_BYTES} "$place/kubectl" | grep -q '${MARK}' || exec "$place/kubectl" "$@"`,
    'done',
    "echo 'kubectl: not installed: there is none in PATH' >&2",
    'exit 127',
  ];
}

/** As a single shell word. */
export function quoted(text: string): string {
  return /^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A kubectl that is not one of these scripts. */
function findKubectl(path: string): string | undefined {
  const places = path.split(delimiter).filter((place) => place !== '');
  const found = places.map((place) => resolve(place, 'kubectl'));
  return found.find((each) => exists(each) && isExecutable(each) && !isOwnProgram(each));
}

/** Reads no more than the beginning: others are large. */
function isOwnProgram(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(MARK_WITHIN_BYTES);
    readSync(descriptor, start);
    return start.includes(MARK);
  } finally {
    closeSync(descriptor);
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
