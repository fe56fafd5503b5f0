// Controller that deletes pods from nodes with taints of the effect NoExecute which they do not tolerate, or not for any
// longer.

import { equalJson } from '../../api/json-equal.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Taint } from '../../resources/builtin/core/pod/scheduling-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import { withCondition } from '../conditions.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { tolerates } from '../taints.ts';

const NAME = 'taint-eviction-controller';

export function taintEvictionController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'node-controller');
  const events = new ClusterEvents(context, { component: NAME, as: 'node-controller' });
  /** Since when the deletion of a pod is due after a while, by key. */
  const scheduled = new Map<string, number>();
  return reconciler(context, {
    name: NAME,
    async begin(keys) {
      const nodes = await context.informers.open<Node>('', 'nodes');
      const pods = await context.informers.open<Pod>('', 'pods');
      const podsOn = pods.index(({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
      nodes.follow({
        changed: (node, previous) => {
          if (equalJson(evicting(previous), evicting(node))) return;
          for (const pod of podsOn.get(node.metadata.name ?? '')) keys.add(keyOf(pod));
        },
      });
      pods.follow({
        changed: ({ spec, metadata }, previous) => {
          const isSame = previous !== undefined && equalJson(previous.spec?.tolerations ?? [], spec?.tolerations ?? []);
          const isMoved = previous?.spec?.nodeName !== spec?.nodeName;
          if (spec?.nodeName && (!isSame || isMoved)) keys.add(keyOf({ metadata }));
        },
        removed: (pod) => void scheduled.delete(keyOf(pod)),
      });

      const cancel = (pod: Pod) => {
        const { namespace, name } = pod.metadata;
        if (scheduled.delete(keyOf(pod))) {
          events.record(pod, 'TaintManagerEviction', `Cancelling deletion of Pod ${namespace}/${name}`);
        }
      };
      const evict = async (pod: Pod) => {
        const { namespace, name } = pod.metadata;
        scheduled.delete(keyOf(pod));
        events.record(pod, 'TaintManagerEviction', `Marking for deletion Pod ${namespace}/${name}`);
        const { generation } = pod.metadata;
        const condition = {
          ...{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' },
          message: 'Taint manager: deleting due to NoExecute taint',
          lastTransitionTime: timestamp(context.clock.now()),
          ...(generation === undefined ? {} : { observedGeneration: generation }),
        };
        await objects.updateStatus(pods, pod, (draft) => {
          draft.status = { ...draft.status, conditions: withCondition(draft.status?.conditions, condition) };
          return true;
        });
        await objects.delete(pods, pod);
      };

      return async (key) => {
        const { namespace, name } = splitKey(key);
        const pod = pods.get(namespace, name);
        if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
        const taints = evicting(nodes.get('', pod.spec?.nodeName ?? ''));
        const bearableMs = bearableFor(pod, taints);
        if (bearableMs === undefined) {
          cancel(pod);
          return undefined;
        }
        const nowMs = context.clock.now();
        const sinceMs = scheduled.get(key) ?? nowMs;
        const leftMs = sinceMs + bearableMs - nowMs;
        if (leftMs <= 0) {
          await evict(pod);
          return undefined;
        }
        scheduled.set(key, sinceMs);
        return leftMs;
      };
    },
  });
}

function evicting(node: Node | undefined): readonly Taint[] {
  return (node?.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}

/** How long a pod bears these taints, in milliseconds: 0 if one is not tolerated, undefined for ever. */
function bearableFor({ spec }: Pod, taints: readonly Taint[]): number | undefined {
  if (taints.length === 0) return undefined;
  const tolerations = spec?.tolerations ?? [];
  if (!taints.every((taint) => tolerates(tolerations, taint))) return 0;
  const used = taints.flatMap((taint) => tolerations.find((each) => tolerates([each], taint)) ?? []);
  const seconds = used
    .map(({ tolerationSeconds }) => tolerationSeconds)
    .filter((each) => each !== undefined && each !== null)
    .map(Number);
  return seconds.length === 0 ? undefined : Math.max(0, Math.min(...seconds)) * 1000;
}
