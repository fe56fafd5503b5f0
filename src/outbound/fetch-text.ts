// HTTPS client for documents, such as the keys of JWT issuers: limited in size and time, trusting the given CAs or,
// without any, those of the system.

import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { SmallPieces } from '../base/small-pieces.ts';
import { connectFault } from './connect-fault.ts';
import type { Dial } from './dial.ts';
import { rejectUnaskedUpgrade } from './unasked-upgrade.ts';

interface TextFetcherOptions {
  readonly dial: Dial;
  readonly clock: Clock;
  /** PEM; undefined for the system's CAs. */
  readonly ca: string | undefined;
}

/** Fetches a document. @throws Error that says why it is unavailable; all responses except 2xx are errors. */
export type TextFetcher = (url: string, authorization?: string) => Promise<string>;

/** Maximum number of redirects, as in Go. */
const MAX_REDIRECTS = 10;

export function textFetcher(options: TextFetcherOptions): TextFetcher {
  return (url, authorization) => fetchText(url, authorization, options);
}

async function fetchText(url: string, authorization: string | undefined, options: TextFetcherOptions): Promise<string> {
  const deadline = new AbortController();
  const timer = options.clock.after(limits.issuerAnswerMs, () => deadline.abort());
  try {
    let at = new URL(url);
    for (let redirects = 0; ; redirects++) {
      const answer = await get(at, authorization, { ...options, signal: deadline.signal });
      const status = answer.statusCode ?? 0;
      const { location } = answer.headers;
      if (status < 300 || status > 308 || location === undefined) return await readBody(answer);
      answer.destroy();
      if (redirects === MAX_REDIRECTS) throw new Error(`stopped after ${MAX_REDIRECTS} redirects`);
      at = new URL(location, at);
      if (at.protocol !== 'https:') throw new Error(`unsupported protocol scheme ${JSON.stringify(at.protocol)}`);
    }
  } catch (error) {
    const why = deadline.signal.aborted ? 'context deadline exceeded' : (error as Error).message;
    throw new Error(`Get ${JSON.stringify(url)}: ${why}`, { cause: error });
  } finally {
    timer.cancel();
  }
}

function get(
  url: URL,
  authorization: string | undefined,
  { dial, ca, signal }: TextFetcherOptions & { signal: AbortSignal },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: Number(url.port) || 443 };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      method: 'GET',
      ...place,
      path: url.pathname + url.search,
      headers: {
        host: url.host,
        accept: 'application/json, */*',
        'user-agent': 'keelson',
        ...(authorization === undefined ? {} : { authorization }),
      },
      signal,
      createConnection: () => {
        const plain = dial({ ...place, globalOnly: false });
        const secure = connectTls({
          socket: plain,
          host,
          ...(isIP(host) === 0 ? { servername: host } : {}),
          ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
          ALPNProtocols: ['http/1.1'],
        });
        plain.once('error', (error: Error) => secure.destroy(error));
        return secure;
      },
    });
    outgoing.on('error', (error) => reject(new Error(connectFault(error, place), { cause: error })));
    outgoing.on('response', resolve);
    rejectUnaskedUpgrade(outgoing, reject);
    outgoing.end();
  });
}

async function readBody(answer: IncomingMessage): Promise<string> {
  const pieces = new SmallPieces<Buffer>(Buffer.allocUnsafeSlow);
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limits.issuerAnswerBytes) {
      answer.destroy();
      throw new Error(`the response is longer than ${limits.issuerAnswerBytes} bytes`);
    }
    pieces.add(piece);
  }
  const text = Buffer.concat(pieces.take()).toString();
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 226) throw new Error(`${status} ${answer.statusMessage ?? ''}: ${text.slice(0, 200)}`);
  return text;
}
