// The metrics server of a simulated cluster: an APIService whose requests are answered within the process, as the
// aggregated API server of a metrics-server would. A metrics-server of one's own takes its place by replacing the
// APIService.

import { isTaken } from '../../api/error-reasons.ts';
import { hostAndPort } from '../../base/host-port.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { APIService } from '../../resources/builtin/apiregistration/v1-objects.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import type { ClusterRole } from '../../resources/builtin/rbac/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import type { Informed, Informer } from '../informer.ts';
import { GROUP, type MeasuredCluster, metricsAnswer, VERSION } from './metrics-answers.ts';

const NAME = 'simulated-metrics';
const NAMESPACE = 'kube-system';
/** The port of metrics-server behind its service. */
const PORT = 10250;
const SERVER = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };

export function metricsServer(context: ClusterContext): Controller {
  const { activity, simulated } = context;
  let address: string | undefined;
  return {
    name: 'metrics-server',
    start: () =>
      activity.during(
        (async () => {
          const cluster = await measuredCluster(context);
          address = hostAndPort({ host: await installService(context), port: PORT });
          simulated.services.set(address, ({ method, target, headers }) => {
            const accept = [headers['accept'] ?? []].flat().join(',');
            return metricsAnswer(cluster, { method, target, accept });
          });
          await register(context);
        })(),
      ),
    async stop() {
      if (address !== undefined) simulated.services.delete(address);
    },
  };
}

async function measuredCluster({ informers, clock, writes }: ClusterContext): Promise<MeasuredCluster> {
  const pods = await informers.open<Pod>('', 'pods');
  const nodes = await informers.open<Node>('', 'nodes');
  return {
    pods: (namespace) => pods.list(namespace),
    nodes: () => nodes.list(),
    now: () => clock.now(),
    turns: writes.registry.turns,
  };
}

/** Creates the service with its endpoint, and the role of those who may read metrics. @returns its address */
async function installService(context: ClusterContext): Promise<string> {
  const { informers } = context;
  const services = await informers.open<Service>('', 'services');
  const slices = await informers.open<EndpointSlice>('discovery.k8s.io', 'endpointslices');
  const roles = await informers.open<ClusterRole>('rbac.authorization.k8s.io', 'clusterroles');
  const own = new OwnObjects(context);
  const service = await own.existing(services, {
    metadata: { name: NAME, namespace: NAMESPACE },
    spec: { ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: PORT }] },
  });
  const address = service.spec?.clusterIP ?? '';
  const { uid = '' } = service.metadata;
  await own.existing(slices, {
    metadata: {
      ...{ name: NAME, namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': NAME } },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: NAME, uid }],
    },
    ...{ addressType: address.includes(':') ? 'IPv6' : 'IPv4', endpoints: [{ addresses: [address] }] },
    ports: [{ name: 'https', port: PORT, protocol: 'TCP' }],
  });
  const label = (role: string) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true'];
  await own.existing(roles, {
    metadata: {
      name: 'system:aggregated-metrics-reader',
      labels: Object.fromEntries(['view', 'edit', 'admin'].map(label)),
    },
    rules: [{ apiGroups: [GROUP], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
  });
  return address;
}

async function register(context: ClusterContext): Promise<void> {
  const apiServices = await context.informers.open<APIService>('apiregistration.k8s.io', 'apiservices');
  await new OwnObjects(context).existing(apiServices, {
    metadata: { name: `${VERSION}.${GROUP}` },
    spec: {
      ...{ group: GROUP, version: VERSION, groupPriorityMinimum: 100, versionPriority: 100 },
      ...{ service: { name: NAME, namespace: NAMESPACE }, insecureSkipTLSVerify: true },
    },
  });
}

/** Objects that are created once, whoever does it. */
class OwnObjects {
  readonly #objects: ClusterObjects;

  constructor(context: ClusterContext) {
    this.#objects = new ClusterObjects(context, SERVER, 'metrics-server');
  }

  /** The object of that name; the given one if there is none. */
  async existing<T extends Informed>(informer: Informer<T>, object: T): Promise<T> {
    const { namespace = '', name = '' } = object.metadata;
    const find = () => informer.get(namespace, name);
    try {
      return find() ?? (await this.#objects.create(informer, structuredClone(object) as never));
    } catch (error) {
      const found = isTaken(error) ? find() : undefined;
      if (found === undefined) throw error;
      return found;
    }
  }
}
