// A collector of traces over OTLP for tests.

import grpc from '@grpc/grpc-js';

export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly links: number;
  readonly kind: number;
  /** Those that are texts. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The names of its events. */
  readonly events: readonly string[];
}

/** Takes what is sent over OTLP. */
export async function startCollector() {
  const spans: SentSpan[] = [];
  const server = new grpc.Server();
  const raw = { requestSerialize: Buffer.from, requestDeserialize: (bytes: Buffer) => bytes };
  const method = {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ...{ requestStream: false, responseStream: false, ...raw },
    ...{ responseSerialize: (bytes: Buffer) => bytes, responseDeserialize: (bytes: Buffer) => bytes },
  };
  server.addService(
    { export: method },
    {
      export: (call: { request: Buffer }, answer: (error: null, value: Buffer) => void) => {
        for (const resource of fields(call.request, 1))
          for (const scope of fields(resource, 2)) spans.push(...fields(scope, 2).map(spanOf));
        answer(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { port, spans, [Symbol.dispose]: () => server.forceShutdown() };
}

/** The kind of a span: its field 6, which follows the name. */
function kindOf(bytes: Buffer): number {
  const name = fields(bytes, 5)[0]!;
  return bytes[bytes.indexOf(name) + name.length + 1] ?? 0;
}

/** The values of a field of bytes in a message of protobuf. */
function fields(bytes: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++]!;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const [field, type] = [key >> 3, key & 7];
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      if (field === wanted) found.push(bytes.subarray(at, at + length));
      at += length;
    }
  }
  return found;
}

function spanOf(bytes: Buffer): SentSpan {
  const hex = (field: number) => fields(bytes, field)[0]?.toString('hex') ?? '';
  const name = fields(bytes, 5)[0]!.toString();
  const attributes = fields(bytes, 9).map((pair) => {
    const [key = '', value = Buffer.alloc(0)] = [fields(pair, 1)[0]?.toString(), fields(pair, 2)[0]];
    return [key, fields(value, 1)[0]?.toString() ?? ''] as const;
  });
  const ids = { traceId: hex(1), spanId: hex(2), parentId: hex(4) };
  return {
    ...{ ...ids, name, kind: kindOf(bytes), links: fields(bytes, 13).length },
    attributes: Object.fromEntries(attributes),
    events: fields(bytes, 11).map((event) => fields(event, 2)[0]!.toString()),
  };
}
