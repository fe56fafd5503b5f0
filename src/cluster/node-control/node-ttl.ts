// Controller that tells kubelets by an annotation of their nodes how long they may keep secrets and config maps: the
// longer, the more nodes there are.

import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { reconciler } from '../reconciler.ts';

const ANNOTATION = 'node.alpha.kubernetes.io/ttl';
/** Overlapping sizes of clusters, so that a node that comes and goes changes nothing. */
const STEPS = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1_000, seconds: 30 },
  { least: 900, most: 2_000, seconds: 60 },
  { least: 1_800, most: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

export function nodeTtlController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'ttl-controller');
  return reconciler(context, {
    name: 'ttl-controller',
    async begin(keys) {
      const nodes = await context.informers.open<Node>('', 'nodes');
      let step: (typeof STEPS)[number] = STEPS[0];
      const isCurrent = ({ metadata }: Node) => metadata.annotations?.[ANNOTATION] === `${step.seconds}`;
      const look = (node: Node) => !isCurrent(node) && keys.add(node.metadata.name ?? '');
      const counted = () => {
        const before = step;
        while (nodes.size > step.most) step = STEPS[STEPS.indexOf(step) + 1] ?? step;
        while (nodes.size < step.least) step = STEPS[STEPS.indexOf(step) - 1] ?? step;
        if (step !== before) for (const node of nodes.list()) look(node);
      };
      nodes.follow({
        changed: (node, previous) => {
          if (previous === undefined) counted();
          look(node);
        },
        removed: counted,
      });
      return async (name) => {
        const node = nodes.get('', name);
        if (node === undefined || isCurrent(node)) return undefined;
        await objects.update<Node>(nodes, node, ({ metadata }) => {
          metadata.annotations = { ...metadata.annotations, [ANNOTATION]: `${step.seconds}` };
          return true;
        });
        return undefined;
      };
    },
  });
}
