// The compiled code of the program, dist/program.*.cache: what V8 compiled while the program did in a fresh process what
// tests, nodes and people ask of it. Servers of tests live for seconds, and half of that was compilation.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { codeCacheName, type LoadedProgram } from './program-loader.ts';

/** Warms a built program up and writes what was compiled beside it; returns whether that succeeded, and prints why not. */
export function writeCodeCache(dist: string): boolean {
  const { status, stderr } = spawnSync(process.execPath, [import.meta.filename, dist], {
    encoding: 'utf8',
    env: plainEnvironment(),
  });
  if (status !== 0) console.error(stderr);
  return status === 0;
}

/** Without what changes how Node compiles: the cache would be refused by a Node without it. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS, NODE_V8_COVERAGE, ...others } = process.env;
  return others;
}

async function warmUp(dist: string): Promise<void> {
  const cache = join(dist, codeCacheName());
  // With an empty one, which V8 refuses, the loader makes a script.
  writeFileSync(cache, '');
  // Compiled code that was not used for some collections would be dropped. The flag is taken back for the cache, which
  // names the flags with which it can be used.
  setFlagsFromString('--no-flush-bytecode');
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(dist, name)).href);
  const { script } = (await load('program.js')) as LoadedProgram;
  const folder = mkdtempSync(join(tmpdir(), 'keelson-warm-up-'));
  try {
    await useTestServer((await load('testing.js')) as typeof import('../src/testing.ts'));
    await useProgram((await load('main.js')) as typeof import('../src/cli/main.ts'), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  setFlagsFromString('--flush-bytecode');
  writeFileSync(cache, script!.createCachedData());
}

const CORE = '/api/v1/namespaces/default';
const LABELS = { app: 'web' };
const POD = { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] };
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface WarmObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** Sends a request; its answer does not matter. */
type Send = (request: Sent) => Promise<unknown>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly accept?: string;
}

/**
 * The objects that are written, by the path of their list. Few: to take a function from the cache costs as much as to
 * compile some of it, so that the cache is best with what nearly every process needs.
 */
const KINDS: readonly (readonly [path: string, object: WarmObject])[] = [
  [`${CORE}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }],
  [`${CORE}/pods`, { apiVersion: 'v1', kind: 'Pod', spec: POD }],
  ['/apis/example.com/v1/namespaces/default/widgets', { apiVersion: 'example.com/v1', kind: 'Widget', spec: {} }],
];

/** What clients ask before anything else. */
const FIRST = ['/version', '/readyz', '/api', '/apis', '/apis/apps/v1'];

async function useApi(send: Send): Promise<void> {
  await send({ method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition() });
  for (const path of FIRST) await send({ method: 'GET', path });
  for (const path of ['/api', '/apis']) await send({ method: 'GET', path, accept: AGGREGATED });
  for (const [path, object] of KINDS) await useKind(send, path, object);
}

async function useKind(send: Send, path: string, fields: WarmObject): Promise<void> {
  const object = { ...fields, metadata: { name: 'a', labels: LABELS } };
  // The second is a conflict, the third is invalid.
  for (const name of ['a', 'a', 'A', 'b']) {
    await send({ method: 'POST', path, body: { ...object, metadata: { ...object.metadata, name } } });
  }
  const one = `${path}/a`;
  for (const read of [one, `${path}/none`, path, `${path}?labelSelector=app%3Dweb&limit=1`]) {
    await send({ method: 'GET', path: read });
  }
  for (const accept of [TABLE, PROTOBUF]) await send({ method: 'GET', path, accept });
  await send({ method: 'PUT', path: one, body: object });
  const { apiVersion, kind } = fields;
  const change = { apiVersion, kind, metadata: { annotations: { warm: 'yes' } } };
  for (const contentType of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
    await send({ method: 'PATCH', path: one, body: change, contentType });
  }
  const operations = [{ op: 'add', path: '/metadata/labels/warm', value: 'yes' }];
  await send({ method: 'PATCH', path: one, body: operations, contentType: 'application/json-patch+json' });
  const applied = `${one}?fieldManager=warm-up&force=true`;
  await send({ method: 'PATCH', path: applied, body: object, contentType: 'application/apply-patch+yaml' });
  for (const gone of [one, path]) await send({ method: 'DELETE', path: gone });
}

/** A definition with a schema, defaults and a rule. */
function definition(): object {
  const properties = {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer', minimum: 0, default: 1 } },
      'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'must be small' }],
    },
  };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: 'widgets.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' } },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** A server in a process, as tests start it. */
async function useTestServer({ startTestServer }: typeof import('../src/testing.ts')): Promise<void> {
  await using server = await startTestServer();
  for (const [path, object] of KINDS.slice(0, 2)) {
    await server.request('POST', path, { ...object, metadata: { name: 'a' } });
    await server.request('GET', `${path}/a`);
  }
  server.rewind(server.snapshot());
}

/** `keelson serve` with a store of its own, and a client over TLS. */
async function useProgram({ main }: typeof import('../src/cli/main.ts'), folder: string): Promise<void> {
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'warm-up,admin,admin,"system:masters"\n');
  const ended = main(['serve', `--data-dir=${folder}/data`, '--secure-port=0', `--token-auth-file=${tokens}`]);
  // Written when the port is known, and the server answers when it listens.
  const kubeconfig = join(folder, 'data/admin.kubeconfig');
  while (!existsSync(kubeconfig)) await pause(10);
  const [, url] = /server: "(.+)"/.exec(readFileSync(kubeconfig, 'utf8')) ?? [];
  const session = connect(url!, { rejectUnauthorized: false });
  await useApi((sent) => answered(session, sent));
  const watches = KINDS.map(([path]) => `${path}?watch=true&resourceVersion=0&timeoutSeconds=1`);
  await Promise.all(watches.map((path) => answered(session, { method: 'GET', path })));
  session.close();
  process.emit('SIGTERM');
  await ended;
}

async function answered(session: ClientHttp2Session, { method, path, body, contentType, accept }: Sent): Promise<void> {
  const stream = session.request({
    ...{ ':method': method, ':path': path, authorization: 'Bearer warm-up', accept: accept ?? 'application/json' },
    ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
  });
  stream.end(body === undefined ? undefined : JSON.stringify(body));
  for await (const _ of stream);
}

if (import.meta.main) await warmUp(process.argv[2]!);
