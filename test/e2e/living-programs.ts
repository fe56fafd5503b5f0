// Programs of pods on nodes that Keelson simulates. Its nodes run no container, so this follows the pods from outside and
// starts what hollow nodes would.

import { CoreV1Api, type KubeConfig, makeInformer, type V1Pod } from '@kubernetes/client-node';
import type { HollowPrograms } from './hollow-programs.ts';

const retryMs = 500;

/** Runs the programs of all pods that have an address, until disposed. */
export async function followPods(config: KubeConfig, programs: HollowPrograms): Promise<AsyncDisposable> {
  const core = config.makeApiClient(CoreV1Api);
  const informer = makeInformer<V1Pod>(config, '/api/v1/pods', () => core.listPodForAllNamespaces());
  let ended = false;
  const see = (pod: V1Pod) => {
    const address = pod.status?.podIP;
    // One that fails, because it is gone or its secret is missing, is tried again with the pod's next event.
    if (address !== undefined) programs.run(pod, address).catch(() => {});
  };
  informer.on('add', see);
  informer.on('update', see);
  informer.on('delete', ({ metadata }) => void programs.stop(metadata!.uid!));
  informer.on('error', () => {
    if (!ended) setTimeout(() => void informer.start(), retryMs);
  });
  await informer.start();
  const end = async () => {
    ended = true;
    await informer.stop();
  };
  return { [Symbol.asyncDispose]: end };
}
