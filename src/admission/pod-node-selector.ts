// The plugin PodNodeSelector: new pods get the node selector of their namespace's annotation or, without one, of the
// configuration, and must comply with the labels that the configuration allows the namespace.

import { errors } from '../api/errors.ts';
import { isObject } from '../api/is-object.ts';
import type { ApiObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { entryOf } from '../resources/value.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { concerns } from './concerns.ts';
import { type NodeSelector, readNodeSelector } from './node-selector-text.ts';
import { PODS } from './resources.ts';

const NAME = 'PodNodeSelector';
const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';
/** The configuration entry for namespaces without the annotation. */
const CLUSTER_DEFAULT = 'clusterDefaultNodeSelector';

interface PodNodeSelectorOptions {
  /** Looks a namespace up by name. */
  readonly namespaceOf: (name: string) => Soon<ApiObject | undefined>;
  /** Permitted labels by namespace, and the selector for namespaces without the annotation. */
  readonly selectors: Readonly<Record<string, string>>;
}

export function podNodeSelector(options: PodNodeSelectorOptions): AdmissionPlugin {
  return plugin(options, (pod, selector) => {
    checkConflict(pod, selector);
    const merged = { ...selector, ...nodeSelectorOf(pod) };
    if (isObject(pod.spec) && Object.keys(merged).length > 0) pod.spec['nodeSelector'] = merged;
    checkAllowed(pod, readNodeSelector(options.selectors[pod.metadata.namespace ?? ''] ?? ''));
  });
}

/** Later steps must not modify it. */
export function keptNodeSelector(options: PodNodeSelectorOptions): AdmissionPlugin {
  return plugin(options, (pod, selector) => {
    checkConflict(pod, selector);
    checkAllowed(pod, readNodeSelector(options.selectors[pod.metadata.namespace ?? ''] ?? ''));
  });
}

function plugin(
  { namespaceOf, selectors }: PodNodeSelectorOptions,
  act: (pod: ApiObject, selector: NodeSelector) => void,
): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { object } = admission;
      if (object === undefined || !isNewPod(admission)) return undefined;
      const { namespace } = admission.request;
      return whenThere(namespaceOf(namespace), (found) => {
        if (found === undefined) throw errors.internal(`namespace ${namespace} does not exist`);
        const own = found.metadata.annotations?.[ANNOTATION];
        act(object, readNodeSelector(own ?? selectors[CLUSTER_DEFAULT] ?? ''));
      });
    },
  };
}

function isNewPod(admission: AdmissionRequest): boolean {
  return admission.operation === 'create' && concerns(admission, PODS);
}

function nodeSelectorOf(pod: ApiObject): NodeSelector {
  const selector = isObject(pod.spec) ? pod.spec['nodeSelector'] : undefined;
  return isObject(selector) ? (selector as NodeSelector) : {};
}

function checkConflict(pod: ApiObject, selector: NodeSelector): void {
  const own = nodeSelectorOf(pod);
  if (Object.entries(selector).every(([key, value]) => (entryOf(own, key) ?? value) === value)) return;
  throw refused(pod, 'pod node label selector conflicts with its namespace node label selector');
}

function checkAllowed(pod: ApiObject, allowed: NodeSelector): void {
  if (Object.keys(allowed).length === 0) return;
  if (Object.entries(nodeSelectorOf(pod)).every(([key, value]) => allowed[key] === value)) return;
  throw refused(pod, 'pod node label selector labels conflict with its namespace whitelist');
}

function refused(pod: ApiObject, why: string) {
  return errors.forbidden({ ...PODS, name: pod.metadata.name ?? '' }, why);
}
