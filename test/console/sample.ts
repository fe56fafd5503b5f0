// Sample objects for the console: a shop whose deployment is being rolled out, with a failing pod.

import type { TestServer } from '../../src/testing.ts';

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

interface Stored {
  readonly metadata: { readonly uid: string; readonly name: string };
}

const WORKLOADS = ['web', 'cart', 'checkout', 'search'];
const labels = (app: string) => ({ app, tier: app === 'web' ? 'frontend' : 'backend' });

/** Fills namespace `shop`; `ask` as the administrator. @throws Error with the server's response */
export async function fillShop(ask: Ask): Promise<void> {
  const make = async (path: string, body: unknown): Promise<Stored> => {
    const answer = await ask('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Stored;
  };
  await make('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await make('/api/v1/namespaces/shop/serviceaccounts', { metadata: { name: 'default' } });
  for (const app of WORKLOADS) {
    const deployment = await make('/apis/apps/v1/namespaces/shop/deployments', deploymentOf(app));
    const set = await make('/apis/apps/v1/namespaces/shop/replicasets', {
      ...deploymentOf(app),
      metadata: {
        ...{ name: `${app}-7d4b9c`, labels: labels(app) },
        ownerReferences: [ownerOf('apps/v1', 'Deployment', deployment)],
      },
    });
    for (const id of ['x2k8p', 'm9qzt']) await makePod(ask, make, { app, id, set });
  }
  const data = { 'shop.properties': 'currency=EUR\nregion=north\n', theme: 'plain' };
  await make('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'settings', labels: labels('web') }, data });
  await make('/api/v1/namespaces/shop/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  });
}

/** A deployment as a user would write it. */
export function deploymentOf(app: string) {
  const containers = [{ name: app, image: `registry.example/${app}:1.4`, ports: [{ containerPort: 8080 }] }];
  return {
    metadata: { name: app, labels: labels(app) },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app } },
      template: { metadata: { labels: labels(app) }, spec: { containers } },
    },
  };
}

async function makePod(
  ask: Ask,
  make: (path: string, body: unknown) => Promise<Stored>,
  { app, id, set }: { app: string; id: string; set: Stored },
): Promise<void> {
  const isBroken = app === 'search' && id === 'm9qzt';
  const name = `${app}-7d4b9c-${id}`;
  const pod = await make('/api/v1/namespaces/shop/pods', {
    metadata: { name, labels: labels(app), ownerReferences: [ownerOf('apps/v1', 'ReplicaSet', set)] },
    spec: deploymentOf(app).spec.template.spec,
  });
  const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container' };
  const state = isBroken ? { waiting } : { running: { startedAt: '2026-01-05T08:00:00Z' } };
  const image = `registry.example/${app}:1.4`;
  await ask('PUT', `/api/v1/namespaces/shop/pods/${name}/status`, {
    ...pod,
    status: {
      phase: 'Running',
      podIP: '10.1.0.7',
      conditions: [{ type: 'Ready', status: isBroken ? 'False' : 'True' }],
      containerStatuses: [
        { name: app, image, imageID: '', ready: !isBroken, started: true, restartCount: isBroken ? 6 : 0, state },
      ],
    },
  });
  if (isBroken) {
    await make('/api/v1/namespaces/shop/events', {
      metadata: { name: `${name}.1` },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace: 'shop', uid: pod.metadata.uid },
      ...{ type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container search', count: 12 },
      ...{
        firstTimestamp: '2026-01-05T08:00:00Z',
        lastTimestamp: '2026-01-05T08:10:00Z',
        source: { component: 'kubelet' },
      },
    });
  }
}

function ownerOf(apiVersion: string, kind: string, { metadata: { uid, name } }: Stored) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Applies part of an object as another manager, as controllers do. */
export async function applyAs(server: TestServer, path: string, object: unknown, manager: string): Promise<void> {
  const { status, body } = await server.patch(
    `${path}?fieldManager=${manager}`,
    object,
    'application/apply-patch+yaml',
  );
  if (status >= 300) throw new Error(JSON.stringify(body));
}
