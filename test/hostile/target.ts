// The server under attack: its process, its address, and its resource usage.

import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2, type Settings } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { ServerProcess } from '../clients/server-process.ts';

export interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface Target {
  readonly port: number;
  readonly credentials: Credentials;
}

export async function targetOf(server: ServerProcess): Promise<Target> {
  const kubeconfig = await server.kubeconfig();
  const data = (name: string) =>
    Buffer.from(new RegExp(`${name}: (.*)`).exec(kubeconfig)?.[1] ?? '', 'base64').toString();
  const credentials = {
    ca: data('certificate-authority-data'),
    cert: data('client-certificate-data'),
    key: data('client-key-data'),
  };
  return { port: Number(new URL(server.url).port), credentials };
}

/** An HTTP/1.1 connection of the administrator, or of an anonymous client; the attacker handles errors. */
export function http1({ port, credentials }: Target, isStranger = false): TLSSocket {
  const { cert, key } = credentials;
  const socket = connectTls({ port, rejectUnauthorized: false, ...(isStranger ? {} : { cert, key }) });
  return socket.on('error', () => {});
}

export function http2({ port, credentials }: Target, settings: Settings = {}): ClientHttp2Session {
  const { cert, key } = credentials;
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, cert, key, settings });
  return session.on('error', () => {});
}

/** Of a process' main thread, since it started. */
export interface ProcessorTime {
  readonly ranNs: number;
  /** Ready to run, while others had all processors. */
  readonly waitedNs: number;
}

export function processorOf(pid: number): ProcessorTime {
  const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
  return { ranNs: Number(ran), waitedNs: Number(waited) };
}

/** Returns a process's memory in megabytes. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
