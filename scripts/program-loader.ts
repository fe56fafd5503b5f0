// The loader of what was built, dist/program.js: runs program.cjs, the whole program in one script, together with what V8
// compiled of it while it was warmed up (scripts/code-cache.ts). `import` cannot do that: Node's compile cache holds what
// is compiled when a module is loaded, and thousands of functions are compiled when they are first called.

import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** The modules of the program by the name of their entry; each runs when it is first called. */
export interface Program {
  readonly [entry: string]: () => Readonly<Record<string, unknown>>;
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

/** Compiles the program, or takes the functions that the cache holds from there. */
export function programScript(file: string, cachedData?: Buffer): Script {
  return new Script(wrapped(file), { filename: file, ...(cachedData !== undefined && { cachedData }) });
}

/** Runs the program's script, which returns its entries. */
export function runProgram(script: Script, file: string): Program {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, join(file, '..'));
  return module.exports;
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

/**
 * The program of a folder. Without compiled code for this Node, and where stack traces shall name the source, it is an
 * ordinary module.
 */
export function loadProgram(folder: string): Program {
  const file = join(folder, 'program.cjs');
  const cachedData = process.sourceMapsEnabled ? undefined : read(join(folder, codeCacheName()));
  if (cachedData === undefined) return createRequire(file)(file) as Program;
  return runProgram(programScript(file, cachedData), file);
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
