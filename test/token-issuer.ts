// An issuer of JSON Web Tokens for tests: an HTTPS server on 127.0.0.1 with a discovery document, rotating keys, and
// tokens signed by them.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../src/api/object.ts';
import { makeCertificates } from '../src/server/pki.ts';
import { realClock } from './listening.ts';

const { caCertPem, servingCertPem, servingKeyPem } = await makeCertificates({ clock: realClock, hosts: ['127.0.0.1'] });

interface SigningKey {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface TestIssuer extends AsyncDisposable {
  readonly url: string;
  /** Its CA, as PEM. */
  readonly ca: string;
  /** Paths requested. */
  readonly seen: string[];
  /** The document with the published key. */
  keys(): string;
  /** Rotates to another key, which replaces the published ones. */
  rotate(algorithm: 'RS256' | 'ES256' | 'PS384'): void;
  /** Returns a token valid for an hour unless the claims say otherwise; `by` signs with an unpublished key. */
  token(claims?: JsonObject, by?: 'a stranger'): string;
  /** Additional documents, by path. */
  readonly documents: Map<string, string>;
}

export async function startIssuer(): Promise<TestIssuer> {
  let key = makeKey('RS256');
  const seen: string[] = [];
  const documents = new Map<string, string>();
  const keys = () => {
    const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: key.algorithm };
    return JSON.stringify({ keys: [jwk] });
  };
  const server = createServer({ cert: servingCertPem, key: servingKeyPem }, (request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    const own: Record<string, string> = {
      '/.well-known/openid-configuration': JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }),
      '/keys': keys(),
    };
    const text = documents.get(path) ?? own[path];
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, ca: caCertPem, seen, documents, keys },
    rotate: (algorithm) => {
      key = makeKey(algorithm);
    },
    token: (claims = {}, by) => {
      const now = Math.floor(Date.now() / 1000);
      const all = { iss: url, aud: 'us', sub: 'alice', exp: now + 3600, iat: now, ...claims };
      return signed(by === undefined ? key : { ...makeKey('RS256'), kid: key.kid }, all);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function makeKey(algorithm: string): SigningKey {
  const pair = algorithm.startsWith('ES')
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: crypto.randomUUID(), algorithm, ...pair };
}

function signed({ kid, algorithm, privateKey }: SigningKey, claims: JsonObject): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, kid })}.${part(claims)}`;
  const digest = `sha${algorithm.slice(2)}`;
  const options = algorithm.startsWith('PS') ? { padding: 6, saltLength: -1 } : {};
  const signature = sign(digest, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363', ...options });
  return `${text}.${signature.toString('base64url')}`;
}
