// A real node: containerd with images made here, the kubelet and kube-proxy, and the cluster's DNS server as a pod. It
// runs in namespaces of its own: see isolation.ts.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, imagesArchive, programPath } from '../programs.ts';
import { cgroup, nodeAddress } from './isolation.ts';

export const nodeName = 'node-1';
/** The addresses of pods; the only node has all of them. */
export const podRange = '10.244.0.0/16';
const socket = '/run/containerd/containerd.sock';
const dnsAddress = '10.0.0.10';

export interface NodeOptions {
  /** With the kubeconfigs of `kubelet`, `proxy` and `admin`, and the authority of clients in ca.crt. */
  readonly folder: string;
  /** Starts a program whose output becomes the log of that name. */
  readonly run: (name: string, command: readonly string[]) => void;
}

/** Starts containerd and imports the images. Does not need the API server. */
export async function startContainers({ folder, run }: NodeOptions): Promise<void> {
  run('containerd', ['containerd', `--config=${write(folder, 'containerd.toml', containerdConfig(folder))}`]);
  const ctr = (...args: readonly string[]) => execFileSync('ctr', ['--namespace=k8s.io', ...args], { stdio: 'pipe' });
  await attempt(() => ctr('version'));
  ctr('images', 'import', imagesArchive);
}

/** Starts the kubelet, kube-proxy and the DNS server; resolves when the node is ready. */
export async function startNode({ folder, run }: NodeOptions): Promise<void> {
  mkdirSync(join(folder, 'lib/kubelet'), { recursive: true });
  run('kubelet', [
    ...[builtProgram('kubelet'), `--config=${write(folder, 'kubelet.json', JSON.stringify(kubeletConfig(folder)))}`],
    ...[`--kubeconfig=${folder}/kubelet.kubeconfig`, `--hostname-override=${nodeName}`, `--node-ip=${nodeAddress}`],
  ]);
  run('proxy', [
    builtProgram('kube-proxy'),
    `--config=${write(folder, 'proxy.json', JSON.stringify(proxyConfig(folder)))}`,
  ]);
  const kubectl = (...args: readonly string[]) =>
    execFileSync(programPath('kubectl'), [`--kubeconfig=${folder}/admin.kubeconfig`, ...args], { stdio: 'pipe' });
  kubectl('apply', '--server-side', '-f', join(import.meta.dirname, 'cluster-dns.yaml'));
  await attempt(() => kubectl('wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=5s'));
  kubectl('-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=120s');
}

function write(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

async function attempt(action: () => unknown): Promise<void> {
  for (let left = 60; ; left--) {
    try {
      action();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

function containerdConfig(folder: string): string {
  const network = {
    ...{ cniVersion: '0.4.0', name: 'pods' },
    plugins: [
      {
        ...{ type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: true, hairpinMode: true },
        ipam: { type: 'host-local', ranges: [[{ subnet: podRange }]], routes: [{ dst: '0.0.0.0/0' }] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
  mkdirSync(join(folder, 'cni'));
  write(folder, 'cni/pods.conflist', JSON.stringify(network));
  const plugin = 'plugins."io.containerd.grpc.v1.cri"';
  return `version = 2
[grpc]
  address = "${socket}"
[${plugin}]
  sandbox_image = "registry.k8s.io/pause:3.10.1"
  # Without CAP_SYS_RESOURCE no process may be made less likely to be killed.
  restrict_oom_score_adj = true
  [${plugin}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(folder, 'cni')}"
  [${plugin}.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;
}

function kubeletConfig(folder: string): object {
  return {
    ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${folder}/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    ...{ cgroupDriver: 'cgroupfs', cgroupRoot: cgroup, failCgroupV1: false, failSwapOn: false, oomScoreAdj: 0 },
    ...{ containerRuntimeEndpoint: `unix://${socket}`, clusterDNS: [dnsAddress], clusterDomain: 'cluster.local' },
    ...{ resolvConf: write(folder, 'resolv.conf', ''), maxPods: 110 },
    // How full the machine's disk is does not concern the tests.
    ...{ evictionHard: { 'memory.available': '100Mi' }, imageGCHighThresholdPercent: 100 },
  };
}

function proxyConfig(folder: string): object {
  return {
    ...{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', mode: 'iptables' },
    clientConnection: { kubeconfig: `${folder}/proxy.kubeconfig` },
    ...{ clusterCIDR: podRange, hostnameOverride: nodeName },
    // The machine's, not the network namespace's.
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  };
}
