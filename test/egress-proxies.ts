// Stand-ins for egress proxies: one for HTTP CONNECT, and a konnectivity proxy server with an agent in the same
// process. All addresses resolve to one local port.

import { once } from 'node:events';
import { createServer as createHttp, type IncomingHttpHeaders } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import grpc, { type ServerDuplexStream } from '@grpc/grpc-js';
import { DELIMITED, ProtobufReader } from '../src/api/protobuf-reader.ts';
import { ProtobufWriter } from '../src/api/protobuf-writer.ts';

export interface EgressProxy extends AsyncDisposable {
  /** The port it listens on; 0 for a Unix socket. */
  readonly port: number;
  /** The addresses requested. */
  readonly asked: string[];
  /** The headers of requests, for HTTP CONNECT. */
  readonly headers: IncomingHttpHeaders[];
  /** How it rejects requests; undefined if it does not. */
  refusal: string | undefined;
}

interface ConnectProxyOptions {
  /** The port for all addresses. */
  readonly to: number;
  /** The socket to listen on; TCP if not given. */
  readonly path?: string;
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
  /** If false, TLS clients need no certificate. */
  readonly asksCertificate?: boolean;
}

export async function startConnectProxy({
  to,
  path,
  tls,
  asksCertificate = true,
}: ConnectProxyOptions): Promise<EgressProxy> {
  const server = tls === undefined ? createHttp() : createHttps({ ...tls, requestCert: asksCertificate });
  const sockets = new Set<Socket>();
  const proxy = {
    asked: [] as string[],
    headers: [] as IncomingHttpHeaders[],
    refusal: undefined as string | undefined,
  };
  server.on('connect', (request, socket: Socket) => {
    proxy.asked.push(request.url ?? '');
    proxy.headers.push(request.headers);
    sockets.add(socket);
    socket.on('error', () => {});
    if (proxy.refusal !== undefined) return void socket.end(`HTTP/1.1 ${proxy.refusal}\r\n\r\n`);
    const beyond = connect({ host: '127.0.0.1', port: to });
    sockets.add(beyond.on('error', () => socket.destroy()));
    beyond.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(beyond).pipe(socket);
    });
  });
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  return Object.assign(proxy, {
    port: path === undefined ? (server.address() as AddressInfo).port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

const asIs = (bytes: Buffer): Buffer => bytes;

export async function startKonnectivity({ to, path }: { to: number; path: string }): Promise<EgressProxy> {
  const proxy = {
    asked: [] as string[],
    headers: [] as IncomingHttpHeaders[],
    refusal: undefined as string | undefined,
  };
  const server = new grpc.Server();
  const call = {
    ...{ path: '/ProxyService/Proxy', requestStream: true, responseStream: true },
    ...{ requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs },
  };
  server.addService({ Proxy: call }, { Proxy: (stream: Stream) => serve(stream, proxy, to) });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${path}`, grpc.ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return Object.assign(proxy, {
    port: 0,
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  });
}

type Stream = ServerDuplexStream<Buffer, Buffer>;

const CONNECTION = 77;

function serve(stream: Stream, proxy: { asked: string[]; refusal: string | undefined }, to: number): void {
  let beyond: Socket | undefined;
  stream.on('error', () => beyond?.destroy());
  stream.on('cancelled', () => beyond?.destroy());
  stream.on('data', (bytes: Buffer) => {
    const { type, fields } = read(bytes);
    if (type === 0) {
      const random = Number(fields.get(3));
      proxy.asked.push(String(fields.get(2)));
      if (proxy.refusal !== undefined) return void stream.write(packet(1, 3, { 1: proxy.refusal, 3: random }));
      beyond = connect({ host: '127.0.0.1', port: to });
      beyond.on('connect', () => stream.write(packet(1, 3, { 2: CONNECTION, 3: random })));
      beyond.on('data', (data) => stream.write(packet(4, 4, { 1: CONNECTION, 3: data })));
      beyond.on('close', () => {
        stream.write(packet(3, 6, { 2: CONNECTION }));
        stream.end();
      });
      beyond.on('error', () => {});
    }
    if (type === 4) beyond?.write(fields.get(3) as Buffer);
    if (type === 2) beyond?.end();
  });
}

function read(bytes: Buffer): { type: number; fields: Map<number, number | Buffer> } {
  const reader = new ProtobufReader(bytes);
  const fields = new Map<number, number | Buffer>();
  let type = 0;
  while (!reader.done) {
    const tag = reader.tag();
    if ((tag & 7) !== DELIMITED) type = Number(reader.int64());
    else {
      const outer = reader.enter();
      while (!reader.done) {
        const inner = reader.tag();
        fields.set(inner >>> 3, (inner & 7) === DELIMITED ? Buffer.from(reader.raw()) : Number(reader.int64()));
      }
      reader.leave(outer);
    }
  }
  return { type, fields };
}

function packet(type: number, field: number, members: Record<number, number | string | Buffer>): Buffer {
  const out = new ProtobufWriter();
  for (const [number, value] of Object.entries(members).toReversed()) {
    if (typeof value === 'number') out.int(value);
    else {
      const bytes = Buffer.from(value);
      out.raw(bytes);
      out.uint(bytes.length);
    }
    out.uint((Number(number) << 3) | (typeof value === 'number' ? 0 : DELIMITED));
  }
  out.uint(out.size);
  out.uint((field << 3) | DELIMITED);
  out.uint(type);
  out.uint(8);
  return Buffer.from(out.bytes());
}
