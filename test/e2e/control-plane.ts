// A cluster for end-to-end tests: an API server, Kubernetes' own controller manager and scheduler, and nodes, hollow ones
// unless asked otherwise. The API server is Keelson or, for comparison, the real kube-apiserver on etcd.

import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { ADMIN, makeCertificates, servingHosts } from '../../src/server/pki.ts';
import { send } from '../differential/send.ts';
import { realClock } from '../listening.ts';
import { ended } from '../processes.ts';
import { until } from '../until.ts';
import { serveNetwork, writeEgressConfiguration } from './cluster-network.ts';
import { HollowNodes } from './hollow-nodes.ts';
import { HollowPrograms } from './hollow-programs.ts';
import { followPods } from './living-programs.ts';
import { nodeAddress } from './node/isolation.ts';
import { nodeName, podRange, startContainers, startNode } from './node/real-node.ts';
import { programPath } from './programs.ts';

export type ServerKind = 'keelson' | 'reference';
/**
 * Hollow nodes, those that Keelson simulates as the whole cluster with its own controllers and scheduler, or a real one.
 */
export type NodeKind = 'hollow' | 'living' | 'real';

export interface ControlPlaneOptions {
  readonly kind: ServerKind;
  /** Of the API server; etcd uses the next two. */
  readonly port: number;
  /** For keys, data and logs; not removed afterwards. */
  readonly folder: string;
  /**
   * Keelson's own controllers collect garbage, empty namespaces and create service accounts, instead of the manager's.
   */
  readonly ownControllers: boolean;
  readonly nodes: NodeKind;
}

export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  /** The administrator's. */
  readonly kubeconfigPath: string;
}

const admin = { name: 'admin', token: 'admin-token' };
const users = [
  { ...admin, user: 'admin', groups: 'system:masters' },
  { name: 'controllers', token: 'controllers-token', user: 'system:kube-controller-manager', groups: '' },
  { name: 'scheduler', token: 'scheduler-token', user: 'system:kube-scheduler', groups: '' },
  { name: 'kubelet', token: 'kubelet-token', user: `system:node:${nodeName}`, groups: 'system:nodes' },
  { name: 'proxy', token: 'proxy-token', user: 'system:kube-proxy', groups: '' },
];
const serviceRange = '10.0.0.0/16';
const nodeNames = ['hollow-1', 'hollow-2', 'hollow-3'];

/** Controllers that both Keelson and the controller manager have, by Keelson's names and the manager's. */
const shared = {
  keelson: [
    ...['clusterrole-aggregation', 'garbage-collector', 'namespace', 'root-ca-certificate-publisher', 'serviceaccount'],
    'serviceaccount-token',
  ].map((name) => `${name}-controller`),
  manager: [
    ...['clusterrole-aggregation-controller', 'garbage-collector-controller', 'namespace-controller'],
    ...['root-ca-certificate-publisher-controller', 'serviceaccount-controller', 'serviceaccount-token-controller'],
  ],
};

/** Starts everything; rejects if the API server is not ready in time. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { folder, port, kind, nodes } = options;
  const url = `https://${addressOf(options)}:${port}`;
  const keys = writeKeys(options, url);
  const children: ChildProcess[] = [];
  const run = (name: string, command: readonly string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'w');
    children.push(spawn(command[0]!, command.slice(1), { stdio: ['ignore', log, log] }));
  };
  const plane = new AsyncDisposableStack();
  const killAll = () => children.forEach((child) => void child.kill('SIGKILL'));
  process.once('exit', killAll);
  plane.defer(async () => {
    process.off('exit', killAll);
    for (const child of children.reverse()) await ended(child);
  });
  try {
    if (nodes === 'real') await startContainers({ folder, run });
    if (kind === 'reference') run('etcd', etcdCommand(folder, port));
    run('apiserver', kind === 'reference' ? referenceCommand(options, keys) : keelsonCommand(options, keys));
    await until(
      'the API server is ready',
      async () => (await send({ url, token: admin.token }, { path: '/readyz' })).status === 200,
    );
    if (nodes !== 'living') {
      run('controllers', managerCommand(options, keys));
      run('scheduler', [
        ...[programPath('kube-scheduler'), `--kubeconfig=${folder}/scheduler.kubeconfig`, '--leader-elect=false'],
        ...['--kube-api-qps=500', '--kube-api-burst=1000', '--secure-port=0'],
      ]);
    }
    if (nodes === 'real') await startNode({ folder, run });
    else await startHollow(options, plane);
  } catch (error) {
    await plane.disposeAsync();
    throw error;
  }
  const disposal = () => plane.disposeAsync();
  return { url, kubeconfigPath: join(folder, 'admin.kubeconfig'), [Symbol.asyncDispose]: disposal };
}

/** Starts nodes without machines, and the programs that they do run. */
async function startHollow({ folder, nodes }: ControlPlaneOptions, plane: AsyncDisposableStack): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(join(folder, 'admin.kubeconfig'));
  const pods = join(folder, 'pods');
  mkdirSync(pods);
  const programs = plane.use(new HollowPrograms({ core: config.makeApiClient(CoreV1Api), folder: pods }));
  plane.use(await serveNetwork(folder, (address) => programs.portOf(address)));
  if (nodes === 'living') plane.use(await followPods(config, programs));
  else plane.use(await HollowNodes.start({ config, names: nodeNames, programs }));
}

/** The address at which clients and pods reach the API server. */
function addressOf({ nodes }: ControlPlaneOptions): string {
  return nodes === 'real' ? nodeAddress : '127.0.0.1';
}

type KeyName = 'ca' | 'caKey' | 'cert' | 'key' | 'client' | 'clientKey' | 'accounts' | 'accountsPublic' | 'tokens';
type Keys = Readonly<Record<KeyName, string>>;

function writeKeys(options: ControlPlaneOptions, url: string): Keys {
  const { folder } = options;
  mkdirSync(folder, { recursive: true });
  const path = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const made = makeCertificates({ clock: realClock, hosts: servingHosts(addressOf(options), '10.0.0.1') });
  const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = {
    ca: path('ca.crt', made.caCertPem),
    caKey: path('ca.key', made.caKeyPem),
    cert: path('apiserver.crt', made.servingCertPem),
    key: path('apiserver.key', made.servingKeyPem),
    client: path('client.crt', made.adminCertPem),
    clientKey: path('client.key', made.adminKeyPem),
    accounts: path('accounts.key', accounts.privateKey.export({ type: 'pkcs1', format: 'pem' })),
    accountsPublic: path('accounts.pub', accounts.publicKey.export({ type: 'spki', format: 'pem' })),
    tokens: path(
      'tokens.csv',
      users.map(({ token, user, groups }) => `${token},${user},${user},"${groups}"\n`).join(''),
    ),
  };
  for (const { name, token } of users) path(`${name}.kubeconfig`, kubeconfig(url, keys.ca, token));
  return keys;
}

function kubeconfig(server: string, authority: string, token: string): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'e2e' },
    clusters: [{ name: 'e2e', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'e2e', user: { token } }],
    contexts: [{ name: 'e2e', context: { cluster: 'e2e', user: 'e2e' } }],
  });
}

/** Flags of both servers. */
function commonFlags(options: ControlPlaneOptions, keys: Keys): string[] {
  const { port, folder, nodes } = options;
  return [
    ...[`--secure-port=${port}`, `--bind-address=${addressOf(options)}`, `--tls-cert-file=${keys.cert}`],
    ...[`--tls-private-key-file=${keys.key}`, `--client-ca-file=${keys.ca}`, `--token-auth-file=${keys.tokens}`],
    ...['--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${keys.accountsPublic}`],
    ...[`--service-account-signing-key-file=${keys.accounts}`, `--service-cluster-ip-range=${serviceRange}`],
    ...['--authorization-mode=Node,RBAC', '--allow-privileged=true'],
    ...(nodes === 'real' ? nodeFlags(keys) : hollowFlags(folder)),
  ];
}

/** Services are reached at the addresses of their pods, through a proxy. */
function hollowFlags(folder: string): string[] {
  return [`--egress-selector-config-file=${writeEgressConfiguration(folder)}`, '--enable-aggregator-routing=true'];
}

/** The credentials for kubelets and for aggregated API servers. */
function nodeFlags(keys: Keys): string[] {
  return [
    ...[`--kubelet-client-certificate=${keys.client}`, `--kubelet-client-key=${keys.clientKey}`],
    ...['--kubelet-preferred-address-types=InternalIP', `--requestheader-client-ca-file=${keys.ca}`],
    ...[`--requestheader-allowed-names=${ADMIN.commonName}`, '--requestheader-username-headers=X-Remote-User'],
    ...['--requestheader-group-headers=X-Remote-Group', '--requestheader-extra-headers-prefix=X-Remote-Extra-'],
    ...[`--proxy-client-cert-file=${keys.client}`, `--proxy-client-key-file=${keys.clientKey}`],
  ];
}

/** Flags of the program that signs certificates: clients can log in with them. */
function signingFlags(keys: Keys): string[] {
  return [`--cluster-signing-cert-file=${keys.ca}`, `--cluster-signing-key-file=${keys.caKey}`];
}

function keelsonCommand(options: ControlPlaneOptions, keys: Keys): string[] {
  const program = join(import.meta.dirname, '../../bin/keelson.js');
  const left = options.ownControllers || options.nodes === 'living' ? [] : shared.keelson.map((name) => `,-${name}`);
  const nodes = options.nodes === 'living' ? ['--nodes=3', '--node-delays=none', ...signingFlags(keys)] : [];
  return [
    ...[process.execPath, program, 'serve', '--store=embedded', `--data-dir=${join(options.folder, 'data')}`],
    ...[...commonFlags(options, keys), ...nodes, `--controllers=*${left.join('')}`],
  ];
}

function referenceCommand(options: ControlPlaneOptions, keys: Keys): string[] {
  return [
    ...[programPath('kube-apiserver'), `--etcd-servers=http://127.0.0.1:${options.port + 1}`],
    ...[
      `--cert-dir=${options.folder}/certs`,
      ...commonFlags(options, keys),
      '--enable-admission-plugins=NodeRestriction',
    ],
  ];
}

function etcdCommand(folder: string, port: number): string[] {
  const url = `http://127.0.0.1:${port + 1}`;
  const peer = `http://127.0.0.1:${port + 2}`;
  return [
    ...[programPath('etcd'), `--data-dir=${folder}/etcd`, '--unsafe-no-fsync', `--listen-client-urls=${url}`],
    ...[`--advertise-client-urls=${url}`, `--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
    `--initial-cluster=default=${peer}`,
  ];
}

function managerCommand({ folder, ownControllers, kind, nodes }: ControlPlaneOptions, keys: Keys): string[] {
  const left = ownControllers && kind === 'keelson' ? shared.manager.map((name) => `,-${name}`) : [];
  return [
    ...[
      programPath('kube-controller-manager'),
      `--kubeconfig=${folder}/controllers.kubeconfig`,
      '--leader-elect=false',
    ],
    ...['--secure-port=0', '--use-service-account-credentials=true', '--kube-api-qps=500', '--kube-api-burst=1000'],
    ...[`--service-account-private-key-file=${keys.accounts}`, `--root-ca-file=${keys.ca}`],
    ...signingFlags(keys),
    ...[`--controllers=*${left.join('')}`, `--service-cluster-ip-range=${serviceRange}`],
    ...(nodes === 'real' ? ['--allocate-node-cidrs=true', `--cluster-cidr=${podRange}`] : []),
  ];
}
