import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import grpc from '@grpc/grpc-js';
import { realClock, strangers } from '../../../test/listening.ts';
import { GrpcChannel } from './grpc-channel.ts';

type Certificates = ReturnType<typeof strangers>;

const asIs = (message: Buffer): Buffer => message;

/** A member that only takes clients with a certificate of its own CA. */
async function startMember(own: Certificates, port = 0): Promise<{ port: number; stop(): void }> {
  const server = new grpc.Server();
  const format = {
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
  const range = { path: '/etcdserverpb.KV/Range', requestStream: false, responseStream: false, ...format } as const;
  server.addService(
    { range },
    {
      range: (_call: unknown, answer: (error: null, message: Buffer) => void) => answer(null, Buffer.from('ok')),
    },
  );
  const pair = { private_key: Buffer.from(own.servingKeyPem), cert_chain: Buffer.from(own.servingCertPem) };
  const credentials = grpc.ServerCredentials.createSsl(Buffer.from(own.caCertPem), [pair], true);
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, at) => (error === null ? resolve(at) : reject(error)));
  });
  return { port: bound, stop: () => server.forceShutdown() };
}

test('a client certificate for etcd that is replaced on disk is used for the next connection', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-etcd-'));
  const [caFile, certFile, keyFile] = ['ca.crt', 'client.crt', 'client.key'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const place = ({ caCertPem, adminCertPem, adminKeyPem }: Certificates) => {
    writeFileSync(caFile, caCertPem);
    writeFileSync(certFile, adminCertPem);
    writeFileSync(keyFile, adminKeyPem);
  };
  const [first, second] = [strangers(['127.0.0.1']), strangers(['127.0.0.1'])];
  place(first);
  let member = await startMember(first);
  const rpc = new GrpcChannel({
    servers: [`https://127.0.0.1:${member.port}`],
    caFile,
    certFile,
    keyFile,
    clock: realClock,
  });
  try {
    const call = () => rpc.call('KV/Range', Buffer.alloc(0), { timeoutMs: 30_000 });
    assert.equal(String(await call()), 'ok');
    member.stop();
    member = await startMember(second, member.port);
    place(second);
    assert.equal(String(await call()), 'ok');
  } finally {
    rpc.close();
    member.stop();
    rmSync(folder, { recursive: true });
  }
});
