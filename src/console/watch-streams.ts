// Watches and logs of the console's page, multiplexed over one WebSocket: browsers limit connections per host, and a page
// with live tables needs many. If the page does not keep up, reading from the cluster pauses.

import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { limits } from '../base/limits.ts';
import type { Cluster } from './cluster.ts';
import { changesNothing } from './read-only.ts';

/** Messages from the page: start a watch or a log under an id of its choice, or stop it. */
type WatchCommand =
  | { readonly start: number; readonly path: string; readonly accept?: string }
  | { readonly stop: number };

/**
 * Messages to the page about a watch: the status of the response, then lines as the server wrote them, then its end.
 */
type WatchMessage =
  | { readonly id: number; readonly status: number; readonly message?: string }
  | { readonly id: number; readonly lines: string }
  | { readonly id: number; readonly end: string };

/** How many bytes may be buffered in the socket before reading from the cluster pauses. */
const HIGH_WATER_BYTES = 1 << 20;
const DRAIN_CHECK_MS = 20;

/** Serves one page until its socket closes. */
export function serveWatches(socket: WebSocket, cluster: () => Cluster): void {
  const running = new Map<number, AbortController>();
  const send = (message: WatchMessage): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  socket.on('message', (data) => {
    const command = commandOf(String(data));
    if (command === undefined) return socket.close(1008, 'a watch command was expected');
    if ('stop' in command) return stop(running, command.stop);
    if (running.has(command.start) || running.size >= limits.consoleWatches) {
      return send({ id: command.start, end: 'too many watches' });
    }
    const controller = new AbortController();
    running.set(command.start, controller);
    void stream(socket, { cluster: cluster(), command, signal: controller.signal, send }).finally(() => {
      if (running.get(command.start) === controller) running.delete(command.start);
    });
  });
  socket.on('close', () => {
    for (const controller of running.values()) controller.abort();
  });
  socket.on('error', () => socket.terminate());
}

function stop(running: Map<number, AbortController>, id: number): void {
  running.get(id)?.abort();
  running.delete(id);
}

interface Streamed {
  readonly cluster: Cluster;
  readonly command: Extract<WatchCommand, { start: number }>;
  readonly signal: AbortSignal;
  readonly send: (message: WatchMessage) => void;
}

async function stream(socket: WebSocket, { cluster, command, signal, send }: Streamed): Promise<void> {
  const id = command.start;
  try {
    const headers = { accept: command.accept ?? 'application/json' };
    const answer = await cluster.ask({ method: 'GET', path: command.path, headers, body: undefined, signal });
    if (answer.statusCode !== 200)
      return send({ id, status: answer.statusCode ?? 0, message: await messageOf(answer) });
    send({ id, status: 200 });
    const rest = await passLines(answer, socket, (lines) => send({ id, lines }));
    // The last line of a log may have no end; an event without one is not whole.
    if (rest !== '' && isLog(command.path)) send({ id, lines: rest });
    send({ id, end: '' });
  } catch (error) {
    if (!signal.aborted) send({ id, end: (error as Error).message });
  }
}

/** Forwards complete lines, and pauses while the page has not received earlier ones. Returns what came after the last. */
async function passLines(answer: IncomingMessage, socket: WebSocket, pass: (lines: string) => void): Promise<string> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const piece of answer as AsyncIterable<string>) {
    rest += piece;
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) pass(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest.length > limits.consoleLineCharacters) throw new Error('an event is longer than the console reads');
    while (socket.bufferedAmount > HIGH_WATER_BYTES) await new Promise((next) => setTimeout(next, DRAIN_CHECK_MS));
  }
  return rest;
}

async function messageOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  answer.setEncoding('utf8');
  for await (const piece of answer as AsyncIterable<string>) {
    text += piece;
    if (text.length > limits.consoleLineCharacters) break;
  }
  try {
    return String((JSON.parse(text) as { message?: string }).message ?? text);
  } catch {
    return text;
  }
}

function commandOf(text: string): WatchCommand | undefined {
  try {
    const command = JSON.parse(text) as Record<string, unknown>;
    if (typeof command['stop'] === 'number') return { stop: command['stop'] };
    const { start, path, accept } = command;
    if (typeof start !== 'number' || typeof path !== 'string' || !isStream(path)) return undefined;
    return { start, path, ...(typeof accept === 'string' && { accept }) };
  } catch {
    return undefined;
  }
}

const LOG = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/log(\?|$)/;

function isLog(path: string): boolean {
  return LOG.test(path);
}

/** Whether a path is that of a watch or a log. What goes through a proxy to another server is neither. */
function isStream(path: string): boolean {
  const url = URL.parse(path, 'http://cluster');
  if (url === null || !changesNothing('GET', path)) return false;
  return isLog(path) || (/^\/apis?\//.test(path) && url.searchParams.has('watch'));
}
