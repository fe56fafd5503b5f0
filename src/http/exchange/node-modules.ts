// Node modules that are loaded on first use, so that startup does not wait for them, without an `import` statement:
// importing node:http evaluates each of its exports, including the fetch client, which costs 30 ms and several
// megabytes for something that is not used here.

/** Like `import * as http from 'node:http'`. */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** Like `import * as zlib from 'node:zlib'`. */
export function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
