import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Answer, ManyConnections } from '../../../test/many-connections.ts';
import { until } from '../../../test/until.ts';
import { consoleLog } from '../console-log.ts';
import { LogLevels } from '../log-levels.ts';
import { serverOptions } from '../options.ts';
import { ProcessOutput } from '../process-output.ts';
import type { Server } from '../server.ts';
import { systemClock as clock } from '../system-clock.ts';
import { launchThreads } from './launch-threads.ts';

const THREADS = 3;
/** So many that each thread has some. */
const CONNECTIONS = 16;

const EVENTS_AT_ONCE = 10;
const EVENT_LIMITS = {
  ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration' },
  plugins: [
    {
      name: 'EventRateLimit',
      configuration: {
        ...{ apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1', kind: 'Configuration' },
        limits: [{ type: 'Namespace', qps: 1, burst: EVENTS_AT_ONCE }],
      },
    },
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'keelson-threads-'));
const auditLog = join(folder, 'audit.log');
const flags = new Map([['serving-threads', String(THREADS)]]);
/** The lines of all threads. */
let logged = '';
let server: Server;
let connections: ManyConnections;
let agents: readonly Agent[];

before(async () => {
  const auditPolicyFile = join(folder, 'policy.yaml');
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
  writeFileSync(auditPolicyFile, JSON.stringify(policy));
  const admissionControlConfigFile = join(folder, 'admission.json');
  writeFileSync(admissionControlConfigFile, JSON.stringify(EVENT_LIMITS));
  const options = serverOptions({
    ...{ store: 'memory', securePort: 0, servingThreads: THREADS },
    ...{ auditPolicyFile, auditLogPath: auditLog, controllers: '' },
    ...{ enableAdmissionPlugins: ['EventRateLimit'], admissionControlConfigFile },
  });
  const output = new ProcessOutput('stderr', (text, done) => {
    logged += text;
    done(undefined);
  });
  const levels = new LogLevels(options);
  const log = consoleLog({ write: (line) => output.put(line), clock, levels });
  server = await launchThreads(options, {
    ...{ clock, log, levels, outputs: { out: output, err: output }, flags: () => flags },
  });
  connections = new ManyConnections(server, CONNECTIONS);
  agents = connections.agents;
});

after(async () => {
  connections.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const ask = (...given: Parameters<ManyConnections['ask']>) => connections.ask(...given);
const everywhere = (...given: Parameters<ManyConnections['everywhere']>) => connections.everywhere(...given);

const MAPS = '/api/v1/namespaces/default/configmaps';

test('a write to one serving thread is read from all of them', async () => {
  for (const [index, agent] of agents.slice(0, 6).entries()) {
    const made = await ask(agent, 'POST', MAPS, { metadata: { name: `m${index}` } });
    assert.equal(made.status, 201, made.text);
    for (const got of await everywhere('GET', `${MAPS}/m${index}`)) {
      assert.equal(got.body.metadata?.resourceVersion, made.body.metadata.resourceVersion, got.text);
    }
    for (const list of await everywhere('GET', MAPS)) {
      const names = list.body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
      assert.ok(names.includes(`m${index}`), list.text);
    }
  }
});

test('concurrent updates through several serving threads are all applied', async () => {
  await ask(agents[0]!, 'POST', MAPS, { metadata: { name: 'counter' }, data: { count: '0' } });
  await Promise.all(
    agents.map(async (agent) => {
      for (;;) {
        const object = (await ask(agent, 'GET', `${MAPS}/counter`)).body;
        object.data.count = String(Number(object.data.count) + 1);
        const { status } = await ask(agent, 'PUT', `${MAPS}/counter`, object);
        if (status === 200) return;
        assert.equal(status, 409);
      }
    }),
  );
  assert.equal((await ask(agents[0]!, 'GET', `${MAPS}/counter`)).body.data.count, String(CONNECTIONS));
});

test('a watch of one serving thread receives the writes of all threads in order', async () => {
  const { body: list } = await ask(agents[0]!, 'GET', MAPS);
  const path = `${MAPS}?watch=1&timeoutSeconds=2&resourceVersion=${list.metadata.resourceVersion}`;
  const watches = everywhere('GET', path);
  const others = Array.from({ length: 4 }, () => new Agent({ ...agents[0]!.options, maxSockets: 1 }));
  const versions: string[] = [];
  for (const [index, agent] of others.entries()) {
    const made = await ask(agent, 'POST', MAPS, { metadata: { name: `watched-${index}` } });
    versions.push(made.body.metadata.resourceVersion);
    agent.destroy();
  }
  for (const { text } of await watches) {
    const events = text.trim().split('\n');
    assert.deepEqual(
      events.map((line) => JSON.parse(line).object.metadata.resourceVersion),
      versions,
    );
  }
});

test('node ports and addresses that several serving threads allocate at once are different', async () => {
  const spec = { type: 'NodePort', ports: [{ port: 80 }] };
  const made = await Promise.all(
    agents.map((agent, index) =>
      ask(agent, 'POST', '/api/v1/namespaces/default/services', { metadata: { name: `s${index}` }, spec }),
    ),
  );
  for (const taken of [
    made.map(({ body }) => body.spec.ports[0].nodePort),
    made.map(({ body }) => body.spec.clusterIP),
  ]) {
    assert.equal(new Set(taken).size, CONNECTIONS);
  }
  const { text } = await ask(agents[0]!, 'GET', '/metrics');
  const counted = /^kube_apiserver_nodeport_allocator_allocation_total\{scope="dynamic"\} (\d+)$/m.exec(text)?.[1];
  assert.equal(Number(counted), CONNECTIONS, 'an allocation that another thread had overtaken was counted');
});

test('a custom resource is served by every thread once it is established', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const plural of ['widgets', 'gadgets', 'sprockets', 'cogs', 'gears']) {
    const made = await ask(agents[0]!, 'POST', definitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.example.com` },
      spec: {
        ...{ group: 'example.com', scope: 'Cluster', names: { plural, kind: plural } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    });
    assert.equal(made.status, 201, made.text);
    const name = `${definitions}/${plural}.example.com`;
    while (!(await ask(agents[1]!, 'GET', name)).text.includes('"InitialNamesAccepted"'));
    for (const { status, text } of await everywhere('GET', `/apis/example.com/v1/${plural}`)) {
      assert.equal(status, 200, text);
    }
  }
});

test('a token that one serving thread issues is accepted by all of them', async () => {
  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await ask(agents[0]!, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const { body } = await ask(agents[0]!, 'POST', `${account}/token`, {});
  for (const { body: review } of await everywhere('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
    spec: { token: body.status.token },
  })) {
    assert.equal(review.status.authenticated, true, JSON.stringify(review));
  }
});

test('the limit of the rate of events holds for all serving threads together', async () => {
  const sinceMs = performance.now();
  const made = await Promise.all(
    [...agents, ...agents, ...agents].map((agent, index) =>
      ask(agent, 'POST', '/api/v1/namespaces/default/events', {
        metadata: { name: `e${index}` },
        involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      }),
    ),
  );
  const accepted = made.filter(({ status }) => status === 201).length;
  const refilled = Math.ceil((performance.now() - sinceMs) / 1_000);
  assert.ok(accepted >= EVENTS_AT_ONCE && accepted <= EVENTS_AT_ONCE + refilled, `${accepted} accepted`);
  const refused = made.find(({ status }) => status !== 201)!;
  assert.equal(
    refused.body.message,
    'Too many requests: limit reached on type Namespace for key default',
    refused.text,
  );
});

test('a log level that one serving thread is given holds for all of them', async () => {
  const level = (verbosity: number) => ask(agents[0]!, 'PUT', '/debug/flags/v', verbosity);
  const paths = agents.map((_, index) => `/api/v1/namespaces/default/configmaps/at-level-3-${index}`);
  assert.equal((await level(3)).status, 200);
  await until('the requests to each of them are logged', async () => {
    await Promise.all(agents.map((agent, index) => ask(agent, 'GET', paths[index]!)));
    return paths.every((path) => logged.includes(path));
  });
  assert.equal((await level(0)).status, 200);
});

test('metrics of any serving thread count the requests of all of them', async () => {
  const counted = ({ text }: Answer) => {
    const lines = text.split('\n').filter((line) => /^apiserver_request_total.*"leases".*"LIST"/.test(line));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
  const before = counted(await ask(agents[0]!, 'GET', '/metrics'));
  await everywhere('GET', leases);
  for (const page of await everywhere('GET', '/metrics')) {
    assert.equal(counted(page) - before, CONNECTIONS);
    assert.equal(page.text.match(/^process_start_time_seconds /gm)?.length, 1);
  }
});

test('metrics of what serving threads share are not added up', async () => {
  await everywhere('GET', '/api/v1/namespaces/default/endpoints');
  const { text } = await ask(agents[0]!, 'GET', '/metrics');
  assert.match(text, /^apiserver_requested_deprecated_apis\{.*resource="endpoints".*\} 1$/m);
  assert.match(text, /^apiserver_flowcontrol_nominal_limit_seats\{priority_level="catch-all"\} 13$/m);
  const [allocated, available] = ['allocated', 'available'].map((state) => {
    return Number(new RegExp(`^kube_apiserver_nodeport_allocator_${state}_ports (\\d+)$`, 'm').exec(text)?.[1]);
  });
  assert.equal(allocated! + available!, 2768);
});

test('all serving threads write to one audit log', async () => {
  await everywhere('GET', `${MAPS}/audited`);
  // The last line may not be complete.
  const entries = () => readFileSync(auditLog, 'utf8').split('\n').slice(0, -1);
  const audited = () =>
    entries().filter((line) => line.includes(`${MAPS}/audited"`) && line.includes('ResponseComplete'));
  await until('every request is in the log', async () => audited().length === CONNECTIONS);
  for (const entry of entries()) JSON.parse(entry);
});

test('a server with serving threads drains all of them', async () => {
  const watches = everywhere('GET', `${MAPS}?watch=1`);
  const another = new Agent({ ...agents[0]!.options, maxSockets: 1 });
  assert.equal((await ask(another, 'GET', MAPS)).status, 200);
  await server.drain();
  for (const { status } of await watches) assert.equal(status, 200);
  await assert.rejects(ask(new Agent({ rejectUnauthorized: false }), 'GET', '/livez'));
});
