// Kubernetes' sample API server, built from its Go module, with its own etcd: a real aggregated server, which delegates
// authentication and authorization to the server under test.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../src/server/pki.ts';
import { startTestServer, type TestServer } from '../../src/testing.ts';
import { untilSays } from '../api-server.ts';
import { answers, type RunningCommand, run, start } from '../clients/commands.ts';
import { type EtcdProcess, findEtcd, freePort, NO_ETCD, startEtcd } from '../etcd/etcd-process.ts';
import { realClock } from '../listening.ts';

const MODULE = join(import.meta.dirname, 'sample-apiserver');
const PACKAGE = 'k8s.io/sample-apiserver';
export const GROUP = 'wardle.example.com';
const VERSIONS = ['v1alpha1', 'v1beta1'];
const ACCOUNT = { kind: 'ServiceAccount', name: 'apiserver', namespace: 'wardle' };

/** Why it is unavailable, or false. */
export function withoutSampleApiServer(): string | false {
  if (findEtcd() === undefined) return NO_ETCD;
  if (!answers('go', 'version')) return 'Go is not installed: no sample API server is tested';
  const missing = 'the module k8s.io/sample-apiserver is not there and cannot be fetched: it is not tested';
  return answers('go', '-C', MODULE, 'list', '-deps', PACKAGE) ? false : missing;
}

/** Both servers. The sample server is registered with a CA bundle, and runs until it is stopped. */
export class SampleApiServer implements AsyncDisposable {
  readonly main: TestServer;
  /** The address of the sample API server, bypassing the main one. */
  readonly url: string;
  readonly #folder: string;
  readonly #etcd: EtcdProcess;
  readonly #port: number;
  #running: RunningCommand | undefined;

  private constructor(folder: string, main: TestServer, { etcd, port }: { etcd: EtcdProcess; port: number }) {
    this.#folder = folder;
    this.main = main;
    this.#etcd = etcd;
    this.#port = port;
    this.url = `https://localhost:${port}`;
  }

  /** Builds it, which takes minutes with an empty cache, and starts everything it needs. */
  static async create(): Promise<SampleApiServer> {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-sample-'));
    const fast = ['-gcflags=all=-dwarf=false -N -l', '-ldflags=-s -w'];
    const built = ['build', ...fast, '-o', join(folder, 'sample-apiserver'), PACKAGE];
    await run('go', built, { cwd: MODULE, env: { CGO_ENABLED: '0' }, yielding: true });
    const certificates = await makeCertificates({ clock: realClock, hosts: ['api.wardle.svc', 'localhost'] });
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    file('serving.crt', certificates.servingCertPem);
    file('serving.key', certificates.servingKeyPem);
    const etcd = await startEtcd({ program: findEtcd()! });
    const main = await startTestServer({
      listen: true,
      proxyClientCertFile: file('proxy.crt', certificates.adminCertPem),
      proxyClientKeyFile: file('proxy.key', certificates.adminKeyPem),
      requestheaderClientCaFile: file('ca.crt', certificates.caCertPem),
      requestheaderUsernameHeaders: ['X-Remote-User'],
      requestheaderGroupHeaders: ['X-Remote-Group'],
      requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    });
    const sample = new SampleApiServer(folder, main, { etcd, port: await freePort() });
    await sample.#prepare(Buffer.from(certificates.caCertPem).toString('base64'));
    await sample.start();
    return sample;
  }

  async start(): Promise<void> {
    const file = (name: string) => join(this.#folder, name);
    const kubeconfig = file('kubeconfig');
    this.#running = start(file('sample-apiserver'), [
      ...[`--etcd-servers=${this.#etcd.url}`, '--bind-address=127.0.0.1', `--secure-port=${this.#port}`],
      ...[`--tls-cert-file=${file('serving.crt')}`, `--tls-private-key-file=${file('serving.key')}`],
      ...[`--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`],
      `--authorization-kubeconfig=${kubeconfig}`,
    ]);
    try {
      for (const version of VERSIONS) await untilSays(this.main, 'Passed', `${version}.${GROUP}`);
    } catch (error) {
      throw new Error(`the sample API server said\n${this.#running.said}`, { cause: error });
    }
  }

  /** Kills it; resolves when the main server has noticed. */
  async kill(): Promise<void> {
    this.#running?.[Symbol.dispose]();
    await this.#running?.ended;
    // A change of the APIService triggers an availability check at once.
    const labels = { looked: `at-${Date.now()}` };
    for (const version of VERSIONS) {
      await this.main.patch(`${API_SERVICES}/${version}.${GROUP}`, { metadata: { labels } });
      await untilSays(this.main, 'FailedDiscoveryCheck', `${version}.${GROUP}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running?.[Symbol.dispose]();
    await this.#running?.ended;
    await this.main.close();
    await this.#etcd.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Its service account and permissions, as granted by its documentation, its kubeconfig, and its registration. */
  async #prepare(caBundle: string): Promise<void> {
    const create = async (path: string, object: unknown) => {
      const { status, body } = await this.main.request('POST', path, object);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    };
    await create('/api/v1/namespaces', { metadata: { name: 'wardle' } });
    await create('/api/v1/namespaces/wardle/serviceaccounts', { metadata: { name: ACCOUNT.name } });
    await create(`${RBAC}/clusterroles`, { metadata: { name: 'wardle' }, rules: RULES });
    for (const name of ['wardle', 'system:auth-delegator']) {
      await create(`${RBAC}/clusterrolebindings`, binding(`wardle-${name}`, { kind: 'ClusterRole', name }));
    }
    const reader = { kind: 'Role', name: 'extension-apiserver-authentication-reader' };
    await create(`${RBAC}/namespaces/kube-system/rolebindings`, binding('wardle-auth-reader', reader));
    const tokens = `/api/v1/namespaces/wardle/serviceaccounts/${ACCOUNT.name}/token`;
    const { status } = (await create(tokens, {})) as { status: { token: string } };
    const admin = this.main.kubeconfigText;
    const authority = /certificate-authority-data: "?([^"\n]+)/.exec(admin)?.[1] ?? '';
    const cluster = { server: this.main.url, 'certificate-authority-data': authority };
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'main' },
      clusters: [{ name: 'main', cluster }],
      users: [{ name: 'wardle', user: { token: status.token } }],
      contexts: [{ name: 'main', context: { cluster: 'main', user: 'wardle' } }],
    };
    writeFileSync(join(this.#folder, 'kubeconfig'), JSON.stringify(kubeconfig));
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await create('/api/v1/namespaces/wardle/services', { metadata: { name: 'api' }, spec });
    const service = { namespace: 'wardle', name: 'api', port: this.#port };
    for (const [index, version] of VERSIONS.entries()) {
      const priorities = { groupPriorityMinimum: 1000, versionPriority: 15 - index };
      const metadata = { name: `${version}.${GROUP}` };
      await create(API_SERVICES, { metadata, spec: { group: GROUP, version, caBundle, service, ...priorities } });
    }
  }
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const READ = ['get', 'list', 'watch'];
const POLICIES = ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'];
const WEBHOOKS = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];
const RULES = [
  { apiGroups: [''], resources: ['namespaces'], verbs: READ },
  { apiGroups: ['admissionregistration.k8s.io'], resources: [...WEBHOOKS, ...POLICIES], verbs: READ },
  {
    apiGroups: ['flowcontrol.apiserver.k8s.io'],
    resources: ['prioritylevelconfigurations', 'flowschemas'],
    verbs: READ,
  },
];

function binding(name: string, role: { kind: string; name: string }) {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', ...role };
  return { metadata: { name }, roleRef, subjects: [ACCOUNT] };
}
