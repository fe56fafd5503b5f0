// Modules of Node's that are taken when they are first needed, so that a start does not wait for them, and without
// `import`: importing node:http reads each of its members once, the fetch client among them, which costs 30 ms and some
// megabytes for something nobody uses here.

/** What `import * as http from 'node:http'` would give. */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** What `import * as zlib from 'node:zlib'` would give. */
export function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
