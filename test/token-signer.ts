// A stand-in for an external signer of service account tokens, with keys that a test can rotate.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import grpc, { type handleUnaryCall } from '@grpc/grpc-js';
import { DELIMITED, ProtobufReader } from '../src/api/protobuf-reader.ts';
import { ProtobufWriter } from '../src/api/protobuf-writer.ts';

interface SignerKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  isUnpublished?: boolean;
}

export interface TokenSignerProgram extends AsyncDisposable {
  /** The first one signs. */
  keys: SignerKey[];
  maxSeconds: number;
  refreshSeconds: number;
  /** Additional header fields. */
  header: Record<string, unknown>;
  /** Fails calls with this text. */
  fault: string | undefined;
  /** Calls so far, by method. */
  readonly calls: Record<string, number>;
}

export function signerKey(id: string): SignerKey {
  return { id, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

/** @param socket the path of a socket that does not exist yet */
export async function startTokenSigner(socket: string): Promise<TokenSignerProgram> {
  const program = {
    keys: [signerKey('key-1')],
    ...{ maxSeconds: 86_400, refreshSeconds: 60, header: {}, fault: undefined as string | undefined },
    calls: {} as Record<string, number>,
  };
  const server = new grpc.Server();
  const answers: Record<string, (request: Buffer) => Buffer> = {
    Sign: (request) => signed(program, request),
    FetchKeys: () => fetched(program),
    Metadata: () => field(1, program.maxSeconds),
  };
  const asIs = (bytes: Buffer): Buffer => bytes;
  const methods = Object.keys(answers).map((name) => [
    name,
    {
      ...{ path: `/v1.ExternalJWTSigner/${name}`, requestStream: false, responseStream: false },
      ...{ requestSerialize: asIs, requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs },
    },
  ]);
  const handlers = Object.entries(answers).map(([name, answer]) => {
    const handle: handleUnaryCall<Buffer, Buffer> = ({ request }, callback) => {
      program.calls[name] = (program.calls[name] ?? 0) + 1;
      if (program.fault === undefined) callback(null, answer(request));
      else callback({ code: grpc.status.INTERNAL, details: program.fault });
    };
    return [name, handle];
  });
  server.addService(Object.fromEntries(methods), Object.fromEntries(handlers));
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, grpc.ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return Object.assign(program, {
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
    },
  });
}

function signed({ keys, header }: { keys: SignerKey[]; header: object }, request: Buffer): Buffer {
  const [key] = keys;
  const reader = new ProtobufReader(request);
  reader.tag();
  const claims = reader.text();
  const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: key?.id, typ: 'JWT', ...header })).toString('base64url');
  const by = { key: key?.privateKey as KeyObject, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), by).toString('base64url');
  return Buffer.concat([field(1, head), field(2, signature)]);
}

function fetched({ keys, refreshSeconds }: { keys: SignerKey[]; refreshSeconds: number }): Buffer {
  const entries = keys.map(({ id, publicKey, isUnpublished }) =>
    field(
      1,
      Buffer.concat([
        field(1, id),
        field(2, publicKey.export({ type: 'spki', format: 'der' })),
        field(3, isUnpublished === true ? 1 : 0),
      ]),
    ),
  );
  return Buffer.concat([...entries, field(2, field(1, 1_700_000_000)), field(3, refreshSeconds)]);
}

function field(number: number, value: number | string | Buffer): Buffer {
  const out = new ProtobufWriter();
  if (typeof value === 'number') out.int(value);
  else {
    const bytes = Buffer.from(value);
    out.raw(bytes);
    out.uint(bytes.length);
  }
  out.uint((number << 3) | (typeof value === 'number' ? 0 : DELIMITED));
  return Buffer.from(out.bytes());
}
