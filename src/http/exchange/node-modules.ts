// Node modules that are loaded on first use, so that startup does not wait for them.

/** Like `import * as zlib from 'node:zlib'`. */
export function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
