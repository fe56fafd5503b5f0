// Requests to kubelets of simulated nodes and to services that a simulated cluster provides, which are answered within
// the process. All others go to where they belong.

import { Buffer } from 'node:buffer';
import { type Duplex, duplexPair, Readable } from 'node:stream';
import { hostAndPort } from '../base/host-port.ts';
import type { KubeletSession, Simulated } from '../cluster/nodes/simulation.ts';
import type { BackendAnswer, BackendCall } from '../outbound/backends.ts';
import { SpdyServer } from '../spdy/spdy-server.ts';
import type { BackendCaller } from './backends.ts';
import { forwardPorts, type OpenPorts } from './forwarded-ports.ts';

const SPDY = 'spdy/3.1';
/** The versions of the streams, the preferred one first. From the fourth on the result of a command has its exit code. */
const VERSIONS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const FORWARDING = 'portforward.k8s.io';

export function withSimulatedKubelets(backends: BackendCaller, simulated: Simulated): BackendCaller {
  return {
    async call(call) {
      const answer = call.kubelet
        ? simulated.current?.answer(call)
        : (simulated.current?.answerOfPod(call) ?? (await simulated.services.get(hostAndPort(call))?.(call)));
      if (answer === undefined) return backends.call(call);
      const { status, contentType, body, session, ports } = answer;
      if (ports !== undefined) return forwarding(call, ports) ?? plain(501, 'text/plain', ONLY_SPDY);
      if (session !== undefined) return upgraded(call, session) ?? plain(501, 'text/plain', ONLY_SPDY);
      return plain(status, contentType, body);
    },
  };
}

const ONLY_SPDY =
  'simulated kubelets serve streams over SPDY with version 4 or 5 of the protocol, and WebSocket with version 5';

function plain(status: number, contentType: string, body: string | AsyncIterable<string>): BackendAnswer {
  const pieces = typeof body === 'string' ? (body === '' ? [] : [body]) : body;
  return {
    status,
    statusText: '',
    rawHeaders: ['Content-Type', contentType],
    body: Readable.from(pieces, { objectMode: false }),
    upgraded: undefined,
  };
}

/** Switches to SPDY and carries out a session; undefined if the client does not offer what is needed. */
function upgraded(call: BackendCall, session: KubeletSession): BackendAnswer | undefined {
  const query = new URL(call.target, 'https://kubelet').searchParams;
  return inSpdy(call, VERSIONS, (socket) => void serve(socket, query, session));
}

/** Switches to SPDY and forwards ports; undefined if the client does not offer what is needed. */
function forwarding(call: BackendCall, ports: OpenPorts): BackendAnswer | undefined {
  return inSpdy(call, [FORWARDING], (socket) => void forwardPorts(socket, ports));
}

function inSpdy(
  { headers, signal }: BackendCall,
  versions: readonly string[],
  serve: (socket: Duplex) => void,
): BackendAnswer | undefined {
  const value = (name: string) => {
    const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
    return found === undefined ? [] : [found].flat().flatMap((each) => each.split(','));
  };
  const offered = new Set(value('x-stream-protocol-version').map((each) => each.trim()));
  const version = versions.find((each) => offered.has(each));
  if (!value('upgrade').some((each) => each.trim().toLowerCase() === SPDY) || version === undefined) return undefined;
  const [client, server] = duplexPair();
  serve(server);
  signal.addEventListener('abort', () => client.destroy());
  return {
    status: 101,
    statusText: 'Switching Protocols',
    rawHeaders: ['Connection', 'Upgrade', 'Upgrade', 'SPDY/3.1', 'X-Stream-Protocol-Version', version],
    body: Readable.from([]),
    upgraded: { socket: client, head: Buffer.alloc(0) },
  };
}

/** Waits for the streams, sends the output in them, and then the result. */
async function serve(socket: Duplex, query: URLSearchParams, session: KubeletSession): Promise<void> {
  const streams = new Map<string, number>();
  const isTerminal = query.has('tty');
  const needed = ['error', ...(query.has('output') ? ['stdout'] : [])];
  if (query.has('input')) needed.push('stdin');
  if (query.has('error') && !isTerminal) needed.push('stderr');
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  const server = new SpdyServer(socket, {
    opened: (type, id) => {
      streams.set(type, id);
      if (needed.every((each) => streams.has(each))) resolve(true);
    },
    closed: () => resolve(false),
  });
  void server.read();
  if (!(await ready)) return;
  const { output, errors = '', exitCode } = session;
  const send = async (name: string, text: string) => {
    const id = streams.get(name);
    if (id !== undefined && text !== '') await server.send(id, isTerminal ? text.replaceAll('\n', '\r\n') : text);
  };
  for await (const piece of typeof output === 'string' ? [output] : output) await send('stdout', piece);
  await send(isTerminal ? 'stdout' : 'stderr', errors);
  for (const name of ['stdout', 'stderr']) {
    const id = streams.get(name);
    if (id !== undefined) server.end(id);
  }
  const error = streams.get('error') ?? 0;
  await server.send(error, JSON.stringify(resultOf(exitCode)));
  server.end(error);
}

function resultOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`;
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }];
  return { metadata: {}, status: 'Failure', reason: 'NonZeroExitCode', message, details: { causes } };
}
