// The operations of the test interface, by method and path: what JavaScript tests do with a test server.

import type { JsonObject } from '../../api/object.ts';
import type { Soon } from '../../base/soon.ts';
import type { FaultOptions } from '../faults.ts';
import { FILTER_FIELDS, type RequestFilter } from '../request-filter.ts';
import { type Answer, type Call, onlyMembers, optional, textOf } from './call.ts';
import { Refusal } from './refusal.ts';

type Operation = (call: Call) => Soon<Answer>;

/** `*` stands for the number of a snapshot or a fault. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['POST snapshots', takeSnapshot],
  ['DELETE snapshots/*', deleteSnapshot],
  ['POST rewind', rewind],
  ['GET clock', ({ server }) => now(server)],
  ['POST clock/advance', advance],
  ['POST cluster/settled', settled],
  ['POST pods/fail', failPod],
  ['POST pods/succeed', succeedPod],
  ['POST pods/ready', setPodReady],
  ['POST pods/evict', evictPod],
  ['POST nodes/stop', stopNode],
  ['POST nodes/start', startNode],
  ['POST nodes/condition', setNodeCondition],
  ['POST faults', addFault],
  ['GET faults/*', ({ handedOut, id }) => ({ members: { id, count: handedOut.faults.get(id).count } })],
  ['DELETE faults/*', removeFault],
  ['DELETE faults', clearFaults],
  ['POST watches/cut', cutWatches],
  ['GET requests', listRequests],
  ['DELETE requests', clearRequests],
  ['GET history', history],
]);

function takeSnapshot({ server, handedOut: { snapshots }, body }: Call): Answer {
  onlyMembers(body, []);
  snapshots.assertRoom();
  const snapshot = server.snapshot();
  return { status: 201, members: { id: snapshots.add(snapshot), objects: snapshot.size } };
}

function deleteSnapshot({ handedOut: { snapshots }, id }: Call): Answer {
  snapshots.get(id);
  snapshots.delete(id);
  return {};
}

async function rewind({ server, handedOut, body }: Call): Promise<Answer> {
  onlyMembers(body, ['id']);
  await server.rewind(handedOut.snapshots.get(textOf(body, 'id')));
  handedOut.faults.clear();
  return {};
}

function now({ clock }: Call['server']): Answer {
  if (clock === undefined) throw new Refusal(409, 'the server has no clock of its own');
  return { members: { now: new Date(clock.now()).toISOString() } };
}

async function advance({ server, body }: Call): Promise<Answer> {
  onlyMembers(body, ['by']);
  await server.clock?.advance(textOf(body, 'by'));
  return now(server);
}

async function settled({ server, body }: Call): Promise<Answer> {
  onlyMembers(body, []);
  await server.cluster.settled();
  return {};
}

function podOf(body: JsonObject, more: readonly string[]): [namespace: string, name: string] {
  onlyMembers(body, ['namespace', 'name', ...more]);
  return [textOf(body, 'namespace'), textOf(body, 'name')];
}

function failPod({ server, body }: Call): Answer {
  const pod = podOf(body, ['exitCode', 'container', 'reason']);
  const exitCode = optional(body, 'exitCode', 'number');
  const container = optional(body, 'container', 'string');
  const reason = optional(body, 'reason', 'string');
  server.cluster.pods.fail(...pod, {
    ...(exitCode !== undefined && { exitCode }),
    ...(container !== undefined && { container }),
    ...(reason !== undefined && { reason }),
  });
  return {};
}

function succeedPod({ server, body }: Call): Answer {
  server.cluster.pods.succeed(...podOf(body, []));
  return {};
}

function setPodReady({ server, body }: Call): Answer {
  const pod = podOf(body, ['ready']);
  server.cluster.pods.setReady(...pod, optional(body, 'ready', 'boolean') ?? true);
  return {};
}

function evictPod({ server, body }: Call): Answer {
  const pod = podOf(body, ['message']);
  server.cluster.pods.evict(...pod, optional(body, 'message', 'string'));
  return {};
}

function stopNode({ server, body }: Call): Answer {
  onlyMembers(body, ['name']);
  server.cluster.nodes.stop(textOf(body, 'name'));
  return {};
}

function startNode({ server, body }: Call): Answer {
  onlyMembers(body, ['name']);
  server.cluster.nodes.start(textOf(body, 'name'));
  return {};
}

function setNodeCondition({ server, body }: Call): Answer {
  onlyMembers(body, ['name', 'type', 'status']);
  const status = textOf(body, 'status');
  if (status !== 'True' && status !== 'False' && status !== 'Unknown') {
    throw new Refusal(400, 'status must be True, False or Unknown');
  }
  server.cluster.nodes.setCondition(textOf(body, 'name'), textOf(body, 'type'), status);
  return {};
}

function addFault({ server, handedOut: { faults }, body }: Call): Answer {
  faults.assertRoom();
  assertFilter(body);
  for (const name of ['answer', 'retryAfterSeconds', 'times'] as const) optional(body, name, 'number');
  for (const name of ['cut', 'afterCommit'] as const) optional(body, name, 'boolean');
  for (const name of ['message', 'delay'] as const) optional(body, name, 'string');
  // The rest is checked where faults are added.
  return { status: 201, members: { id: faults.add(server.faults.add(body as FaultOptions)) } };
}

function removeFault({ handedOut: { faults }, id }: Call): Answer {
  const fault = faults.get(id);
  fault.remove();
  faults.delete(id);
  return { members: { id, count: fault.count } };
}

function clearFaults({ server, handedOut: { faults } }: Call): Answer {
  server.faults.clear();
  faults.clear();
  return {};
}

function cutWatches({ server, body }: Call): Answer {
  assertFilter(body);
  return { members: { cut: server.faults.cutWatches(body as RequestFilter) } };
}

function listRequests({ server, query }: Call): Answer {
  const names = [...new Set(query.keys())];
  const filter = Object.fromEntries(names.map((name) => [name, query.getAll(name)]));
  return {
    members: { dropped: server.requests.dropped },
    list: { name: 'requests', items: server.requests.list(filter) },
  };
}

function clearRequests({ server }: Call): Answer {
  server.requests.clear();
  return {};
}

function history({ server, query }: Call): Answer {
  const given: JsonObject = Object.fromEntries(query);
  onlyMembers(given, ['apiVersion', 'kind', 'namespace', 'name', 'uid']);
  const uid = query.get('uid');
  const metadata = {
    name: textOf(given, 'name'),
    namespace: query.get('namespace') ?? '',
    ...(uid !== null && { uid }),
  };
  const items = server.history({ apiVersion: textOf(given, 'apiVersion'), kind: textOf(given, 'kind'), metadata });
  return { list: { name: 'versions', items } };
}

/** @throws Refusal for a field of a filter that is neither a text nor a list of texts */
function assertFilter(body: JsonObject): void {
  for (const field of FILTER_FIELDS) {
    const value = body[field];
    const isValid = Array.isArray(value) ? value.every((each) => typeof each === 'string') : typeof value === 'string';
    if (value !== undefined && !isValid) throw new Refusal(400, `${field} must be a string, or a list of strings`);
  }
}
