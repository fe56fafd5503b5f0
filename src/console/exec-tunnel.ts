// Terminals of the page: a WebSocket to the exec subresource of a pod, passed through to the cluster as it is.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Cluster } from './cluster.ts';

const EXEC = /^\/k8s(\/api\/v1\/namespaces\/[^/?]+\/pods\/[^/?]+\/exec\?.*)$/;
const HEADERS_UP = ['connection', 'upgrade', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'];
const HEADERS_DOWN = ['connection', 'upgrade', 'sec-websocket-accept', 'sec-websocket-protocol'];

/** Returns the path in the cluster if a URL of the page is that of an exec; otherwise undefined. */
export function execPathOf(url: string): string | undefined {
  return EXEC.exec(url)?.[1];
}

/** Connects a page's upgrade request with the cluster; resolves when either side has closed. */
export async function tunnelExec(cluster: Cluster, request: IncomingMessage, page: Duplex): Promise<void> {
  const aborted = new AbortController();
  page.on('close', () => aborted.abort());
  page.on('error', () => page.destroy());
  const path = execPathOf(request.url ?? '')!;
  const headers = Object.fromEntries(HEADERS_UP.flatMap((name) => pair(name, request.headers[name])));
  try {
    const { answer, connection } = await cluster.upgrade(path, headers, aborted.signal);
    const lines = HEADERS_DOWN.flatMap((name) => pair(name, answer.headers[name])).map((line) => line.join(': '));
    if (connection === undefined) {
      answer.resume();
      page.end(`HTTP/1.1 ${answer.statusCode ?? 502} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    page.write(['HTTP/1.1 101 Switching Protocols', ...lines, '', ''].join('\r\n'));
    await Promise.all([pipeline(page, connection), pipeline(connection, page)]);
  } catch {
    page.destroy();
  }
}

function pair(name: string, value: string | readonly string[] | undefined): (readonly [string, string])[] {
  return typeof value === 'string' ? [[name, value]] : [];
}
