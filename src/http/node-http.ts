// Node's HTTP module, taken without `import`: importing it reads each of its members once, the fetch client among them,
// which costs a start 30 ms and some megabytes for something nobody uses here.

/** What `import * as http from 'node:http'` would give. */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}
