// Strategy of DaemonSet: besides the generation it counts changes of the template, in an annotation from the time
// before revisions.

import { equalJson } from '../../../api/json-equal.ts';
import type { Draft } from '../../../api/object.ts';
import type { KindRules } from '../../definition.ts';
import { fillIn } from '../../fill-in.ts';
import type { DaemonSet } from './v1-objects.ts';

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

export const daemonSetStrategy: KindRules<DaemonSet> = {
  // Kubernetes holds the count elsewhere, and writes the annotation into whole objects.
  unshownAnnotation: TEMPLATE_GENERATION,
  prepareForCreate: (set) => {
    set['status'] = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    countTemplates(set, Math.max(templateGeneration(set), 1));
  },
  prepareForUpdate: (next, previous) => {
    const changed = !equalJson(template(next), template(previous));
    countTemplates(next, templateGeneration(previous) + (changed ? 1 : 0));
  },
  prepareForStatusUpdate: (next, previous) => countTemplates(next, templateGeneration(previous)),
};

/** The count that a set without one has: whoever writes it so owns the annotation. */
export function beginCounting(set: Draft<DaemonSet>): void {
  fillIn(((set.metadata ??= {}).annotations ??= {}), { [TEMPLATE_GENERATION]: '0' });
}

function template(set: Draft<DaemonSet>) {
  return set.spec?.template ?? null;
}

function templateGeneration({ metadata }: Draft<DaemonSet>): number {
  const text = metadata.annotations?.[TEMPLATE_GENERATION] ?? '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
}

function countTemplates({ metadata }: Draft<DaemonSet>, count: number): void {
  metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(count) };
}
