// Requests of the load generator: each lane sends its next request when the last one has its response.

import { Buffer } from 'node:buffer';
import { GADGETS, gadget } from './gadget.ts';
import type { Answer, LoadRequest } from './http2-connection.ts';
import { LEASES, leaseText, NODES, nodeText } from './node.ts';
import { podText, ROUND } from './pod.ts';

export const PODS = '/api/v1/namespaces/default/pods';

/** One pod in so many has the label of the selective list. */
export const PICKED_EVERY = 1_000;

export type Workload =
  /** The same request every time. */
  | { readonly kind: 'get'; readonly path: string }
  /** New pods: `prefix`-0, `prefix`-1 and so on. */
  | { readonly kind: 'create'; readonly prefix: string; readonly padding: number }
  /** The same by server-side apply. */
  | { readonly kind: 'apply-new'; readonly prefix: string }
  /** Repeats an apply that created the object; each lane has its own object. */
  | { readonly kind: 'apply-again'; readonly prefix: string }
  /** New objects of a custom resource. */
  | { readonly kind: 'create-custom'; readonly prefix: string }
  /** PUT and PATCH of pods that `create` created with this prefix; each lane has its own. */
  | { readonly kind: 'update' | 'merge-patch'; readonly prefix: string }
  /** New nodes, or a lease for each: `node-0`, `node-1` and so on. */
  | { readonly kind: 'create-node' | 'create-lease' }
  /** Renewals of the leases of so many nodes, in order and again. */
  | { readonly kind: 'renew'; readonly nodes: number }
  /** The pages of a list, in order. */
  | { readonly kind: 'pages'; readonly limit: number };

/** Returns a lane's next request; `before` is the previous response. */
export type Lane = (before: Answer | undefined) => LoadRequest;

/** Creates the lanes of a workload, numbered from 0. */
export function lanesOf(workload: Workload): (lane: number) => Lane {
  switch (workload.kind) {
    case 'get': {
      const request: LoadRequest = { method: 'GET', path: workload.path };
      return () => () => request;
    }
    case 'create':
      return creations(workload);
    case 'apply-new':
      return numbered(applyRequest, workload.prefix);
    case 'apply-again':
      return (lane) => {
        const request = applyRequest(`${workload.prefix}-${lane}`);
        return () => request;
      };
    case 'create-custom':
      return numbered(
        (name) => ({ method: 'POST', path: GADGETS, contentType: 'application/json', body: gadget(name) }),
        workload.prefix,
      );
    case 'update':
      return (lane) => updates(`${PODS}/${workload.prefix}-${lane}`);
    case 'merge-patch':
      return (lane) => mergePatches(`${PODS}/${workload.prefix}-${lane}`);
    case 'create-node':
      return numbered(
        (name) => ({ method: 'POST', path: NODES, contentType: 'application/json', body: nodeText(name) }),
        'node',
      );
    case 'create-lease':
      return numbered(
        (name) => ({ method: 'POST', path: LEASES, contentType: 'application/json', body: leaseText(name) }),
        'node',
      );
    case 'renew':
      return renewals(workload.nodes);
    case 'pages':
      return () => pages(workload.limit);
  }
}

/** Reads each lease once, then renews them in order, each from the answer before. */
function renewals(nodes: number): () => Lane {
  const versions = new Map<string, string>();
  let count = 0;
  return () => {
    let mine: string | undefined;
    return (before) => {
      const version = /"resourceVersion":"(\d+)"/.exec(before?.kept ?? '')?.[1];
      if (mine !== undefined && version !== undefined) versions.set(mine, version);
      const name = `node-${count++ % nodes}`;
      mine = name;
      const path = `${LEASES}/${name}`;
      const resourceVersion = versions.get(name);
      if (resourceVersion === undefined) return { method: 'GET', path };
      return { method: 'PUT', path, contentType: 'application/json', body: leaseText(name, count, resourceVersion) };
    };
  };
}

function creations({ prefix, padding }: { prefix: string; padding: number }): () => Lane {
  const marker = 'NAME-OF-POD';
  const [head, tail] = podText(marker, { padding }).split(marker) as [string, string];
  const [pickedHead, pickedTail] = podText(marker, { padding, labels: { picked: 'yes' } }).split(marker) as [
    string,
    string,
  ];
  let count = 0;
  const lane: Lane = () => {
    const at = count++;
    const name = `${prefix}-${at}`;
    const text = at % PICKED_EVERY === 0 ? pickedHead + name + pickedTail : head + name + tail;
    return { method: 'POST', path: PODS, contentType: 'application/json', body: Buffer.from(text) };
  };
  return () => lane;
}

/** Requests for `prefix`-0, `prefix`-1 and so on, divided among the lanes. */
function numbered(request: (name: string) => LoadRequest, prefix: string): () => Lane {
  let count = 0;
  const lane: Lane = () => request(`${prefix}-${count++}`);
  return () => lane;
}

function applyRequest(name: string): LoadRequest {
  const path = `${PODS}/${name}?fieldManager=bench`;
  return { method: 'PATCH', path, contentType: 'application/apply-patch+yaml', body: Buffer.from(podText(name)) };
}

/** Reads a pod once, then repeatedly updates it from the last response, with one annotation changed. */
function updates(path: string): Lane {
  let round = 0;
  const keepBytes = 64 * 1024;
  return (before) => {
    if (before === undefined) return { method: 'GET', path, keepBytes };
    const body = Buffer.from(before.kept.replace(/"example\.com\/round":"\d+"/, `"${ROUND}":"${++round}"`));
    return { method: 'PUT', path, contentType: 'application/json', body, keepBytes };
  };
}

export function mergePatches(path: string): Lane {
  let round = 0;
  return () => {
    const body = Buffer.from(`{"metadata":{"annotations":{"${ROUND}":"${performance.now()}-${++round}"}}}`);
    return { method: 'PATCH', path, contentType: 'application/merge-patch+json', body };
  };
}

/** The continue token is at the start of a list. */
function pages(limit: number): Lane {
  const path = `${PODS}?limit=${limit}`;
  return (before) => {
    const token = before === undefined ? undefined : /"continue":"([^"]+)"/.exec(before.kept)?.[1];
    return { method: 'GET', path: token === undefined ? path : `${path}&continue=${encodeURIComponent(token)}` };
  };
}
