// Components reported by componentstatuses: the scheduler and the controller manager on this machine, and the store in
// place of etcd.

import { limits } from '../base/limits.ts';
import type { ComponentHealth, ComponentProbes } from '../verbs/component-statuses.ts';
import type { BackendCaller } from './backends.ts';
import type { Storage } from './storage.ts';

/** The ports of kube-scheduler and kube-controller-manager on this machine. */
const SCHEDULER_PORT = 10_259;
const CONTROLLER_MANAGER_PORT = 10_257;

export function componentProbes(backends: BackendCaller, storage: Pick<Storage, 'checks'>): ComponentProbes {
  return {
    scheduler: () => probe(backends, SCHEDULER_PORT),
    'controller-manager': () => probe(backends, CONTROLLER_MANAGER_PORT),
    'etcd-0': async () => {
      const fault = await storage.checks.find(({ name }) => name === 'etcd')?.check();
      return { healthy: fault === undefined, message: fault ?? 'ok' };
    },
  };
}

async function probe(backends: BackendCaller, port: number): Promise<ComponentHealth> {
  const target = '/healthz';
  const host = '127.0.0.1';
  try {
    const signal = AbortSignal.timeout(limits.componentProbeMs);
    const headers = { host: `${host}:${port}` };
    const call = { method: 'GET', scheme: 'https', host, port, target, headers, body: undefined } as const;
    const answer = await backends.call({ ...call, kubelet: false, globalOnly: false, signal });
    let message = '';
    for await (const piece of answer.body) message += String(piece);
    return { healthy: answer.status >= 200 && answer.status < 400, message };
  } catch (error) {
    return { healthy: false, message: `Get "https://${host}:${port}${target}": ${(error as Error).message}` };
  }
}
