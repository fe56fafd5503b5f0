#!/usr/bin/env node
// The program's entrance, plain JavaScript so that even a Node that is too old can read it and say so. Runs the source
// in a checkout, and what was built from it in an installed package.

import { existsSync } from 'node:fs';
import module from 'node:module';

const [oldestMajor, oldestMinor] = [24, 7];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(`keelson: needs Node.js ${oldestMajor}.${oldestMinor} or newer, and this is ${process.versions.node}`);
  process.exit(1);
}

// What was compiled, and the source with its types taken out, is kept for the next start.
module.enableCompileCache?.();

const source = new URL('../src/cli/main.ts', import.meta.url);
const main = existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href;

// Imports among our own files name the file exactly. Saying so spares Node the search for some five hundred modules,
// which is half of the time that loading them takes.
const own = new URL('..', main).href;
const format = main.endsWith('.ts') ? 'module-typescript' : 'module';
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.startsWith(own)) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
  },
});

process.exitCode = await (await import(main)).main(process.argv.slice(2));
