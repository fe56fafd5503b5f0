// A stand-in for a KMS plugin: the gRPC services that Kubernetes calls over a Unix socket, with keys that a test can
// rotate. It supports both versions of the interface.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import grpc, { type handleUnaryCall } from '@grpc/grpc-js';
import { DELIMITED, ProtobufReader } from '../src/api/protobuf-reader.ts';
import { ProtobufWriter } from '../src/api/protobuf-writer.ts';

export interface KmsPlugin {
  /** The current key; earlier ones still decrypt. */
  keyId: string;
  /** The plugin's reported health. */
  healthz: string;
  version: string;
  /** Returned by every Encrypt, and required in every Decrypt. */
  annotations: Record<string, Buffer>;
  /** Calls so far, by method. */
  readonly calls: Record<'Status' | 'Encrypt' | 'Decrypt', number>;
  /** Calls by version 1 so far. */
  readonly v1Calls: Record<V1Method, number>;
  /** The version that the plugin reports to version 1 calls. */
  v1Version: string;
  /** Keys that no longer decrypt. */
  readonly lost: Set<string>;
  stop(): Promise<void>;
}

type Fields = Map<number, Buffer[]>;
type Method = 'Status' | 'Encrypt' | 'Decrypt';
type V1Method = 'Version' | 'Encrypt' | 'Decrypt';

/** @param socket the path of a socket that does not exist yet */
export async function startKmsPlugin(socket: string): Promise<KmsPlugin> {
  const calls = { Status: 0, Encrypt: 0, Decrypt: 0 };
  const v1Calls = { Version: 0, Encrypt: 0, Decrypt: 0 };
  const lost = new Set<string>();
  const plugin = {
    keyId: 'key-1',
    healthz: 'ok',
    version: 'v2',
    annotations: {} as Record<string, Buffer>,
    calls,
    v1Calls,
    v1Version: 'v1beta1',
    lost,
  };
  const answers: Record<Method, (request: Fields) => Buffer> = {
    Status: () => message([1, plugin.version], [2, plugin.healthz], [3, plugin.keyId]),
    Encrypt: (request) =>
      message(
        [1, seal(plugin.keyId, request.get(1)?.[0] ?? Buffer.alloc(0))],
        [2, plugin.keyId],
        ...Object.entries(plugin.annotations).map(([name, value]) => [3, message([1, name], [2, value])] as const),
      ),
    Decrypt: (request) => {
      const keyId = request.get(3)?.[0]?.toString() ?? '';
      if (lost.has(keyId)) throw new Error(`key ${keyId} is lost`);
      const names = (request.get(4) ?? []).map((pair) => fields(pair).get(1)?.[0]?.toString());
      for (const name of Object.keys(plugin.annotations)) {
        if (!names.includes(name)) throw new Error(`annotation ${name} is missing`);
      }
      return message([1, open(keyId, request.get(1)?.[0] ?? Buffer.alloc(0))]);
    },
  };
  // In version 1 the encrypted bytes contain their key's name.
  const v1Answers: Record<V1Method, (request: Fields) => Buffer> = {
    Version: () => message([1, plugin.v1Version], [2, 'stand-in'], [3, '1']),
    Encrypt: (request) => {
      const sealed = seal(plugin.keyId, request.get(2)?.[0] ?? Buffer.alloc(0));
      return message([1, Buffer.concat([Buffer.from(`${plugin.keyId}:`), sealed])]);
    },
    Decrypt: (request) => {
      const bytes = request.get(2)?.[0] ?? Buffer.alloc(0);
      const end = bytes.indexOf(':');
      const keyId = bytes.toString('latin1', 0, end);
      if (lost.has(keyId)) throw new Error(`key ${keyId} is lost`);
      return message([1, open(keyId, bytes.subarray(end + 1))]);
    },
  };
  const server = new grpc.Server();
  serve(server, 'v2', answers, calls);
  serve(server, 'v1beta1', v1Answers, v1Calls);
  await new Promise<void>((resolve, reject) => {
    const ready = (error: Error | null): void => (error === null ? resolve() : reject(error));
    server.bindAsync(`unix://${socket}`, grpc.ServerCredentials.createInsecure(), ready);
  });
  return Object.assign(plugin, {
    async stop(): Promise<void> {
      server.forceShutdown();
    },
  });
}

function serve<Name extends string>(
  server: grpc.Server,
  version: string,
  answers: Record<Name, (request: Fields) => Buffer>,
  calls: Record<Name, number>,
): void {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const handlers: Record<string, handleUnaryCall<Buffer, Buffer>> = {};
  const service: Record<string, grpc.MethodDefinition<Buffer, Buffer>> = {};
  for (const name of Object.keys(answers) as Name[]) {
    service[name] = {
      path: `/${version}.KeyManagementService/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    };
    handlers[name] = ({ request }, answer) => {
      calls[name] += 1;
      try {
        answer(null, answers[name](fields(request)));
      } catch (error) {
        answer({ code: grpc.status.INTERNAL, details: (error as Error).message });
      }
    };
  }
  server.addService(service, handlers);
}

function message(...parts: (readonly [number, string | Buffer])[]): Buffer {
  const out = new ProtobufWriter();
  for (const [field, value] of parts.toReversed()) {
    const bytes = Buffer.from(value);
    out.raw(bytes);
    out.uint(bytes.length);
    out.uint((field << 3) | DELIMITED);
  }
  return Buffer.from(out.bytes());
}

function fields(bytes: Buffer): Fields {
  const found: Fields = new Map();
  const reader = new ProtobufReader(bytes);
  while (!reader.done) {
    const field = reader.tag() >>> 3;
    found.set(field, [...(found.get(field) ?? []), Buffer.from(reader.raw())]);
  }
  return found;
}

const secretOf = (keyId: string): Buffer => createHash('sha256').update(keyId).digest();

function seal(keyId: string, plain: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', secretOf(keyId), nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts bytes. @throws Error if they were not encrypted here */
export function open(keyId: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', secretOf(keyId), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
}
