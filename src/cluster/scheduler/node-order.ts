// The order in which nodes are looked at: in turns from each zone, so that those that are looked at first are spread.

import { ownMember } from '../../api/own-member.ts';
import type { Node } from '../../resources/builtin/core/node/objects.ts';

/** The zone of a node, with its region; '' without either. */
export function zoneOf({ metadata: { labels } }: Node): string {
  const label = (name: string) =>
    ownMember(labels, `failure-domain.beta.kubernetes.io/${name}`) ??
    ownMember(labels, `topology.kubernetes.io/${name}`) ??
    '';
  const [region, zone] = [label('region'), label('zone')];
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

/** Items in turns from each zone: the first of each, the second of each. */
export function byTurns<Item>(items: Iterable<Item>, zoneOfItem: (item: Item) => string): Item[] {
  const zones = new Map<string, Item[]>();
  for (const item of items) {
    const zone = zoneOfItem(item);
    const found = zones.get(zone);
    if (found === undefined) zones.set(zone, [item]);
    else found.push(item);
  }
  const lists = [...zones.values()];
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
