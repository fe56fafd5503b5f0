// A sample cluster to look at: a store whose workloads run, wait, fail and finish, so that there is something to find out.
// It is what `keelson console --demo` shows, on simulated nodes.

const NAMESPACE = 'store';
const CORE = `/api/v1/namespaces/${NAMESPACE}`;
const APPS = `/apis/apps/v1/namespaces/${NAMESPACE}`;
const BATCH = `/apis/batch/v1/namespaces/${NAMESPACE}`;

interface TemplateOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly container?: object;
}

/** The collection that an object is created in, and the object. */
type DemoObject = readonly [path: string, body: object];

/** Returns the objects of the sample in the order in which they are created. */
export function demoObjects(): readonly DemoObject[] {
  return [
    ['/api/v1/namespaces', { metadata: { name: NAMESPACE } }],
    [`${CORE}/configmaps`, { metadata: { name: 'settings' }, data: { currency: 'EUR' } }],
    [`${CORE}/secrets`, { metadata: { name: 'payment' }, stringData: { key: 'secret' } }],
    [
      `${CORE}/services`,
      {
        metadata: { name: 'shop' },
        spec: { selector: { app: 'shop' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
      },
    ],
    [
      `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses`,
      {
        metadata: { name: 'shop' },
        spec: { defaultBackend: { service: { name: 'shop', port: { name: 'http' } } } },
      },
    ],
    [`${APPS}/deployments`, workload('shop', { replicas: 3 }, SHOP)],
    [`${APPS}/deployments`, workload('search', { replicas: 1 }, UNPULLABLE)],
    [`${APPS}/statefulsets`, workload('orders', { replicas: 2, serviceName: 'orders', volumeClaimTemplates: [CLAIM] })],
    [`${APPS}/daemonsets`, workload('agent', {})],
    [`${BATCH}/jobs`, jobOf('import', 'exit 3')],
    [`${BATCH}/jobs`, jobOf('migrate', 'true')],
    [
      `${BATCH}/cronjobs`,
      {
        metadata: { name: 'report' },
        spec: { schedule: '0 4 * * *', jobTemplate: { spec: jobOf('report', 'true').spec } },
      },
    ],
    [`${CORE}/pods`, { metadata: { name: 'giant' }, spec: template('giant', { container: GIANT }).spec }],
  ];
}

const CLAIM = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
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

function workload(name: string, spec: object, options: TemplateOptions = {}) {
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
