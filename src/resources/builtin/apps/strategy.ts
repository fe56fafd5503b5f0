// Strategy of DaemonSet: besides the generation, it counts changes of the template in an annotation that predates
// revisions.

import { equalJson } from '../../../api/json-equal.ts';
import type { Draft } from '../../../api/object.ts';
import type { KindRules } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import type { DaemonSet } from './v1-objects.ts';

/** The annotation with the count. */
export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

const INTEGER = /^[+-]?\d+$/;

export const daemonSetStrategy: KindRules<DaemonSet> = {
  prepareForCreate: (set) => {
    set['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    const count = templateGeneration(set);
    countTemplates(set, count > 0n ? count : 1n);
  },
  prepareForUpdate: (next, previous) => {
    const changed = !equalJson(template(next), template(previous));
    countTemplates(next, templateGeneration(previous) + (changed ? 1n : 0n));
  },
  subresources: {
    status: { prepareForUpdate: (next, previous) => countTemplates(next, templateGeneration(previous)) },
  },
};

/** The count of a set without one: a client that writes this value becomes the owner of the annotation. */
export function beginCounting(set: Draft<DaemonSet>): void {
  fillIn(((set.metadata ??= {}).annotations ??= {}), { [TEMPLATE_GENERATION]: '0' });
}

function template(set: Draft<DaemonSet>) {
  return set.spec?.template ?? null;
}

function templateGeneration({ metadata }: Draft<DaemonSet>): bigint {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return INTEGER.test(text) ? BigInt(text.replace('+', '')) : 0n;
}

function countTemplates({ metadata }: Draft<DaemonSet>, count: bigint): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(count) };
}
