// The loader of what was built, dist/program.js: runs program.cjs, the server in one script, together with what V8
// compiled of it while it was warmed up (scripts/code-cache.ts). `import` cannot do that: Node's compile cache holds what
// is compiled when a module is loaded, and thousands of functions are compiled when they are first called.

import { Buffer } from 'node:buffer';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The server, by the names of its entry points; each runs when it is first called. */
export interface Program {
  readonly [entry: string]: () => Readonly<Record<string, unknown>>;
}

/** The program, and its script unless it is an ordinary module. */
export interface LoadedProgram {
  readonly program: Program;
  readonly script?: Script;
}

/** What CommonJS puts around a module. */
const HEAD = '(function (exports, require, module, __filename, __dirname) {';
const TAIL = '\n})';

/**
 * The name of the file with the compiled code, for this version of V8 and this kind of machine: it would be refused by
 * another, after it was read.
 */
export function codeCacheName(): string {
  return `program.${process.platform}-${process.arch}-${process.versions.v8}.cache`;
}

/**
 * Loads the program from a folder. Without compiled code for this Node, and where stack traces can and shall name the
 * source, it is an ordinary module.
 */
export function loadProgram(folder: string): LoadedProgram {
  const file = join(folder, 'program.cjs');
  const require = createRequire(file);
  const namesSource = process.sourceMapsEnabled && existsSync(`${file}.map`);
  const cachedData = namesSource ? undefined : read(join(folder, codeCacheName()));
  if (cachedData === undefined) return { program: require(file) as Program };
  const script = new Script(wrapped(file), { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, folder);
  return { program: module.exports, script };
}

/** The file's text as a function; it has ASCII only, so that a byte is a character in memory, too. */
function wrapped(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.allocUnsafeSlow(HEAD.length + size + TAIL.length);
    bytes.write(HEAD, 'latin1');
    for (let read = 0; read < size; ) read += readSync(descriptor, bytes, HEAD.length + read, size - read, read);
    bytes.write(TAIL, HEAD.length + size, 'latin1');
    return bytes.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
