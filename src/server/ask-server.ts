// Requests by the server itself to another API server at a known address, in the name of a user.

import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { type ApiServiceAnswer, type ApiServiceQuestion, AskError } from '../aggregator/ask.ts';
import { identityHeaders } from '../aggregator/identity-headers.ts';
import type { Clock } from '../base/clock.ts';
import { hostAndPort } from '../base/host-port.ts';
import { limits } from '../base/limits.ts';
import { SmallPieces } from '../base/small-pieces.ts';
import type { BackendAnswer, BackendTls } from '../outbound/backends.ts';
import type { BackendCaller } from './backends.ts';
import { CurrentFiles } from './current-files.ts';
import { isKeyPair } from './key-pair.ts';
import type { ServerOptions } from './options.ts';

/** The address of a server, and how to verify it. */
interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly tls: BackendTls;
}

interface Asking<Read> {
  readonly backends: BackendCaller;
  /** Whether the user's UID is included. */
  readonly tellsUid: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly read: (answer: BackendAnswer, url: string) => Promise<Read>;
}

/** Rejects with AskError. */
export async function askServer<Read>(
  place: ServerPlace,
  { path, user, accept, etag, body, method = 'GET', verified = true }: ApiServiceQuestion,
  { backends, tellsUid, headers, signal, read }: Asking<Read>,
): Promise<Read> {
  const host = hostAndPort(place);
  const url = `https://${host}${path}`;
  try {
    const answer = await backends.call({
      ...place,
      method,
      scheme: 'https',
      target: path,
      headers: {
        host,
        'user-agent': 'Go-http-client/1.1',
        ...identityHeaders(user, tellsUid),
        ...headers,
        ...(accept === undefined ? {} : { accept }),
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(body === undefined ? {} : { 'content-type': body.type }),
      },
      body: body === undefined ? undefined : Readable.from([Buffer.from(body.text)]),
      bodyBytes: body === undefined ? undefined : `${Buffer.byteLength(body.text)}`,
      kubelet: false,
      globalOnly: false,
      tls: verified ? place.tls : { ...place.tls, verified: false },
      signal,
    });
    return await read(answer, url);
  } catch (error) {
    const verb = `${method[0]}${method.slice(1).toLowerCase()}`;
    throw new AskError(url, `${verb} "${url}": ${signal.aborted ? DEADLINE : (error as Error).message}`);
  }
}

const DEADLINE = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

/** Runs a request with the time limit of discovery. */
export async function inTime<T>(clock: Clock, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = clock.after(limits.apiServiceDiscoveryMs, () => deadline.abort());
  try {
    return await run(deadline.signal);
  } finally {
    timer.cancel();
    // A reason, because the default one costs more than the question.
    deadline.abort('the request has ended');
  }
}

/** @throws Error for a response that is too large or incomplete */
export async function readAnswer({ status, rawHeaders, body }: BackendAnswer, url: string): Promise<ApiServiceAnswer> {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  let length = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limits.apiServiceDocumentBytes) {
      body.destroy();
      throw new Error(`the response is longer than ${limits.apiServiceDocumentBytes} bytes`);
    }
    pieces.add(piece);
  }
  const header = (name: string) => {
    const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  };
  const contentType = header('content-type') ?? '';
  return { status, contentType, etag: header('etag'), body: Buffer.concat(pieces.take()).toString(), url };
}

/** The client certificate for other API servers, as currently on disk. @throws Error if the files cannot be read */
export function proxyCertificate(
  { proxyClientCertFile, proxyClientKeyFile }: ServerOptions,
  clock: Clock,
): () => { cert: string | undefined; key: string | undefined } {
  if (proxyClientCertFile === undefined || proxyClientKeyFile === undefined) {
    return () => ({ cert: undefined, key: undefined });
  }
  const files = new CurrentFiles([proxyClientCertFile, proxyClientKeyFile], { clock, isUsable: isKeyPair });
  return () => {
    const [cert, key] = files.current();
    return { cert, key };
  };
}
