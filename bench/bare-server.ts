// A server with fixed responses: it shows what Node's HTTP/2 alone costs on this machine right now, as a baseline for
// the figures of a real server. Started with the folder of the certificate; sends its URL to its parent.

import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { POD_BYTES } from './pod.ts';

const folder = process.argv[2]!;
const body = Buffer.alloc(POD_BYTES, 'x');
const server = createSecureServer({
  key: readFileSync(join(folder, 'serving.key')),
  cert: readFileSync(join(folder, 'serving.crt')),
});
server.on('stream', (stream: ServerHttp2Stream) => {
  stream.on('error', () => {});
  stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
  stream.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send!(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
