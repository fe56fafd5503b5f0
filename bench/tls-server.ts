// A server of bytes over TLS: it shows what the kernel, TLS and the disk alone cost on this machine right now, for the
// least that a request or an event of the API needs. Started with the folder of the certificate and a path for its file;
// sends its port to its parent.
//
// A message begins with the letter that says what is done: `a` answers, `w` writes to the disk first and then answers,
// `e` sends an event to every other connection, for each of its watches, and then answers.

import { Buffer } from 'node:buffer';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { POD_BYTES } from './pod.ts';

const [folder = '', path = '', watches = '0'] = process.argv.slice(2);
const file = openSync(path, 'wx');
const record = Buffer.alloc(4096, 'r');
const answer = Buffer.alloc(POD_BYTES, 'x');
/** The events of one write for the watches that share a connection. */
const events = Buffer.alloc(POD_BYTES * Math.max(1, Number(watches)), 'e');
const sockets = new Set<TLSSocket>();

const server = createServer(
  { key: readFileSync(join(folder, 'serving.key')), cert: readFileSync(join(folder, 'serving.crt')) },
  (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (message: Buffer) => {
      const what = message.toString('latin1', 0, 1);
      if (what === 'w') {
        writeSync(file, record);
        fdatasyncSync(file);
      }
      if (what === 'e') for (const other of sockets) if (other !== socket) other.write(events);
      socket.write(answer);
    });
  },
);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => {
  closeSync(file);
  process.exit();
});
