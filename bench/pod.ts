// Pods as a ReplicaSet controller creates them, with all defaults set, padded so that the server's response has the
// size of a real one. They have no owner, which the garbage collector would not find.

/** Size of one pod in a response of kube-apiserver. */
export const POD_BYTES = 2_400;

/** An annotation that updates increment. */
export const ROUND = 'example.com/round';

export interface PodOptions {
  readonly labels?: Readonly<Record<string, string>>;
  /** Padding to reach a size. */
  readonly padding?: number;
}

/** The JSON text of a pod to be created. */
export function podText(name: string, { labels, padding = 0 }: PodOptions = {}): string {
  return JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      generateName: 'web-7d4b9c6f58-',
      namespace: 'default',
      labels: { app: 'web', 'pod-template-hash': '7d4b9c6f58', ...labels },
      annotations: { 'example.com/padding': 'x'.repeat(padding), [ROUND]: '0' },
    },
    spec: spec(),
  });
}

function spec(): object {
  return {
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/web:1.27.3',
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: ['not-ready', 'unreachable'].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  };
}
