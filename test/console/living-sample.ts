// Sample objects for the console of a cluster with simulated nodes: a store whose workloads run, wait, fail and finish.

import type { TestServer } from '../../src/testing.ts';

const CORE = '/api/v1/namespaces/store';
const APPS = '/apis/apps/v1/namespaces/store';
const BATCH = '/apis/batch/v1/namespaces/store';

interface TemplateOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly container?: object;
}

/** Fills namespace `store` and waits until its controllers have nothing left to do. @throws Error for a refused object */
export async function fillStore(server: TestServer): Promise<void> {
  const make = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await server.request('POST', path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  await make('/api/v1/namespaces', { metadata: { name: 'store' } });
  await make(`${CORE}/configmaps`, { metadata: { name: 'settings' }, data: { currency: 'EUR' } });
  await make(`${CORE}/secrets`, { metadata: { name: 'payment' }, stringData: { key: 'secret' } });
  await make(`${CORE}/services`, {
    metadata: { name: 'shop' },
    spec: { selector: { app: 'shop' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  await make('/apis/networking.k8s.io/v1/namespaces/store/ingresses', {
    metadata: { name: 'shop' },
    spec: { defaultBackend: { service: { name: 'shop', port: { name: 'http' } } } },
  });
  await make(`${APPS}/deployments`, workload('shop', { replicas: 3 }, SHOP));
  await make(`${APPS}/deployments`, workload('search', { replicas: 1 }, UNPULLABLE));
  await make(`${APPS}/statefulsets`, {
    ...workload('orders', {
      replicas: 2,
      serviceName: 'orders',
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
  });
  await make(`${APPS}/daemonsets`, workload('agent', {}));
  await make(`${BATCH}/jobs`, jobOf('import', 'exit 3'));
  await make(`${BATCH}/jobs`, jobOf('migrate', 'true'));
  await make(`${BATCH}/cronjobs`, {
    metadata: { name: 'report' },
    spec: { schedule: '0 4 * * *', jobTemplate: { spec: jobOf('report', 'true').spec } },
  });
  await make(`${CORE}/pods`, { metadata: { name: 'giant' }, spec: template('giant', { container: GIANT }).spec });
  await server.cluster.settled();
}

const SHOP: TemplateOptions = {
  container: {
    ports: [{ containerPort: 8080 }],
    envFrom: [{ configMapRef: { name: 'settings' } }],
    volumeMounts: [{ name: 'payment', mountPath: '/payment' }],
  },
  spec: { volumes: [{ name: 'payment', secret: { secretName: 'payment' } }] },
};
const UNPULLABLE: TemplateOptions = { annotations: { 'keelson.dev/fail-to-pull': 'true' } };
const GIANT = { resources: { requests: { cpu: '4000' } } };

/** A workload of the API group apps with one container. */
export function workload(name: string, spec: object, options: TemplateOptions = {}) {
  return {
    metadata: { name },
    spec: { ...spec, selector: { matchLabels: { app: name } }, template: template(name, options) },
  };
}

function template(name: string, { annotations = {}, spec = {}, container = {} }: TemplateOptions) {
  const image = `registry.example/${name}:1.4`;
  return {
    metadata: { labels: { app: name }, annotations },
    spec: { containers: [{ name, image, ...container }], ...spec },
  };
}

function jobOf(name: string, command: string) {
  const containers = [{ name, image: `registry.example/${name}:1.4`, command: ['sh', '-c', command] }];
  return {
    metadata: { name },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', containers } } },
  };
}
