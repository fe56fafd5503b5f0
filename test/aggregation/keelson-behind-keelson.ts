// One server as the aggregated server of another: the inner one serves resources of x.io, which the outer one knows
// only from an APIService. The inner one authenticates requests by the outer one's proxy client certificate.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../src/server/pki.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts';
import { register } from '../api-server.ts';
import { realClock } from '../listening.ts';

export interface BothServers extends AsyncDisposable {
  readonly inner: TestServer;
  readonly outer: TestServer;
}

const DEFINITION = {
  metadata: { name: 'things.x.io' },
  spec: {
    group: 'x.io',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', description: 'How big.' } } },
            },
          },
        },
      },
    ],
  },
};

/** The inner server runs no garbage or namespace controllers; namespaces belong to the outer one. */
export async function startBoth(outerOptions: TestServerOptions = {}): Promise<BothServers> {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-both-'));
  const certificates = await makeCertificates({ clock: realClock, hosts: ['other.default.svc'] });
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ca = file('ca.crt', certificates.caCertPem);
  const inner = await startTestServer({
    listen: true,
    tlsCertFile: file('serving.crt', certificates.servingCertPem),
    tlsPrivateKeyFile: file('serving.key', certificates.servingKeyPem),
    requestheaderClientCaFile: ca,
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    controllers: '*,-garbage-collector-controller,-namespace-controller',
    disableAdmissionPlugins: ['NamespaceLifecycle'],
  });
  const outer = await startTestServer({
    proxyClientCertFile: file('proxy.crt', certificates.adminCertPem),
    proxyClientKeyFile: file('proxy.key', certificates.adminKeyPem),
    ...outerOptions,
  });
  await inner.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await register(outer, {
    port: Number(new URL(inner.url).port),
    caBundle: Buffer.from(certificates.caCertPem).toString('base64'),
  });
  return {
    inner,
    outer,
    async [Symbol.asyncDispose]() {
      await outer[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
