// SOCKS 5 client (RFC 1928, RFC 1929): connects to one address through a proxy.

import { Buffer } from 'node:buffer';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';

interface SocksTarget {
  readonly host: string;
  readonly port: number;
  /** Both empty for no authentication. */
  readonly user: string;
  readonly password: string;
  readonly signal: AbortSignal;
}

const VERSION = 5;
const METHODS = { none: 0, password: 2 } as const;
const REPLIES: readonly string[] = [
  'succeeded',
  'general SOCKS server failure',
  'connection not allowed by ruleset',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];
const KINDS = { v4: 1, name: 3, v6: 4 } as const;

/** Leaves the peer's data in the socket. Rejects with an Error with the proxy's reply. */
export async function connectThroughSocks(socket: Duplex, target: SocksTarget): Promise<void> {
  const { user, password, signal } = target;
  const read = (length: number) => taken(socket, length, signal);
  const methods = user === '' && password === '' ? [METHODS.none] : [METHODS.none, METHODS.password];
  socket.write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method] = await read(2);
  if (version !== VERSION) throw new Error(`unexpected protocol version ${version}`);
  if (method === METHODS.password) {
    const [name, secret] = [Buffer.from(user), Buffer.from(password)];
    socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]));
    if ((await read(2))[1] !== 0) throw new Error('username/password authentication failed');
  } else if (method !== METHODS.none) throw new Error('no acceptable authentication methods');
  const port = Buffer.from([target.port >> 8, target.port & 0xff]);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(target.host), port]));
  const [replyVersion, reply = 0, , kind] = await read(4);
  if (replyVersion !== VERSION) throw new Error(`unexpected protocol version ${replyVersion}`);
  if (reply !== 0) throw new Error(`unknown error ${REPLIES[reply] ?? `unknown code: ${reply}`}`);
  const length = kind === KINDS.v4 ? 4 : kind === KINDS.v6 ? 16 : ((await read(1))[0] ?? 0);
  await read(length + 2);
}

function addressOf(host: string): Buffer {
  const family = isIP(host);
  if (family === 4) return Buffer.from([KINDS.v4, ...host.split('.').map(Number)]);
  if (family === 6) return Buffer.concat([Buffer.from([KINDS.v6]), v6Bytes(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new Error('FQDN too long');
  return Buffer.concat([Buffer.from([KINDS.name, name.length]), name]);
}

function v6Bytes(host: string): Buffer {
  const [head = '', tail] = host.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const all = [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}

/** Exactly so many bytes; further data stays in the socket. */
function taken(socket: Duplex, length: number, signal: AbortSignal): Promise<Buffer> {
  if (length === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      socket.off('readable', look).off('end', ended).off('error', reject);
      signal.removeEventListener('abort', abort);
      finish();
    };
    const look = () => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes !== null) settle(() => resolve(bytes));
    };
    const ended = () => settle(() => reject(new Error('EOF')));
    const abort = () => settle(() => reject(new Error('context canceled')));
    socket.on('readable', look).on('end', ended).on('error', reject);
    signal.addEventListener('abort', abort, { once: true });
    look();
  });
}
