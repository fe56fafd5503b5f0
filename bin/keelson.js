#!/usr/bin/env node
// The program's entrance, plain JavaScript so that even a Node that is too old can read it and say so. Runs the source
// in a checkout, and what was built from it in an installed package.

import { existsSync } from 'node:fs';
import module from 'node:module';

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(`keelson: needs Node.js ${oldestNode} or newer, and this is ${process.versions.node}`);
  process.exit(1);
}

// What was compiled, and the source with its types taken out, is kept for the next start.
module.enableCompileCache?.();

const source = new URL('../src/cli/main.ts', import.meta.url);
const { main } = await import(existsSync(source) ? source.href : '../dist/cli/main.js');
process.exitCode = await main(process.argv.slice(2));
