// Controller that gives each node a range of addresses for its pods: a /24 of the cluster's range.

import type { Controller } from '../../controllers/controller.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import { reconciler } from '../reconciler.ts';

/** Addresses in the range of a node. */
const NODE_ADDRESSES = 256;

export function nodeIpamController(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, 'node-controller');
  const events = new ClusterEvents(context, { component: 'cidrAllocator', as: 'node-controller' });
  const [address = '', prefix = ''] = context.settings.podCidr.split('/');
  const base = numberOf(address);
  const count = 2 ** (32 - Number(prefix)) / NODE_ADDRESSES;
  /** The names of nodes by the ranges that they have. */
  const taken = new Map<string, string>();
  let next = 0;
  const free = (): string | undefined => {
    for (let tries = 0; tries < count; tries++) {
      const cidr = `${textOf(base + ((next + tries) % count) * NODE_ADDRESSES)}/24`;
      if (taken.has(cidr)) continue;
      next = (next + tries + 1) % count;
      return cidr;
    }
    return undefined;
  };
  return reconciler(context, {
    name: 'node-ipam-controller',
    concurrency: 1,
    async begin(keys) {
      const nodes = await context.informers.open<Node>('', 'nodes');
      nodes.follow({
        changed: ({ metadata, spec }) => {
          const { name = '' } = metadata;
          if ((spec?.podCIDR ?? '') === '') keys.add(name);
          else for (const cidr of spec?.podCIDRs ?? []) taken.set(cidr, name);
        },
        removed: ({ spec }) => {
          for (const cidr of spec?.podCIDRs ?? []) taken.delete(cidr);
        },
      });
      return async (name) => {
        const node = nodes.get('', name);
        if (node === undefined || (node.spec?.podCIDR ?? '') !== '') return undefined;
        const cidr = free();
        if (cidr === undefined) {
          events.record(node, 'CIDRNotAvailable', `Node ${name} status is now: CIDRNotAvailable`);
          return undefined;
        }
        await objects.update<Node>(nodes, node, (draft) => {
          draft.spec = { ...draft.spec, podCIDR: cidr, podCIDRs: [cidr] };
          return true;
        });
        return undefined;
      };
    },
  });
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
