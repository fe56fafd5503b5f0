// Pods behind services: which services have to look when a pod changes, which pods have addresses to publish, and at
// which ports they are reached.

import { equalJson } from '../../api/json-equal.ts';
import { ownMember } from '../../api/own-member.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import type { Service, ServicePort } from '../../resources/builtin/core/service/objects.ts';
import type { Index, Informer } from '../informer.ts';
import { hasEnded, isReady } from '../pod-facts.ts';
import { type Keys, keyOf } from '../reconciler.ts';

/** The label of a service without an address of its own, in what is published for it. */
export const HEADLESS = 'service.kubernetes.io/headless';
/** The annotation with the time of the change that led to a write. */
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Services and their pods, found by the labels in selectors instead of by a look at all of a namespace. */
export class ServicePods {
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  /** By the first label of the selector. */
  readonly #servicesBy: Index<Service>;
  /** By each of their labels. */
  readonly #podsBy: Index<Pod>;

  constructor(services: Informer<Service>, pods: Informer<Pod>) {
    this.#services = services;
    this.#pods = pods;
    this.#servicesBy = services.index((service) => firstLabel(service));
    this.#podsBy = pods.index(({ metadata }) => labelKeys(metadata));
  }

  /** Adds the keys of services, and of those whose pods change so that it shows. */
  follow(keys: Keys): void {
    const add = (service: Service) => keys.add(keyOf(service));
    this.#services.follow({ changed: add, removed: add });
    const look = (pod: Pod) => {
      for (const label of labelKeys(pod.metadata))
        for (const service of this.#servicesBy.get(label)) if (selects(service, pod)) add(service);
    };
    this.#pods.follow({
      changed(pod, previous) {
        if (previous !== undefined && !differs(previous, pod)) return;
        look(pod);
        if (previous !== undefined && !equalJson(previous.metadata.labels ?? {}, pod.metadata.labels ?? {}))
          look(previous);
      },
      removed: look,
    });
  }

  /** The pods of a service that have an address and have not ended, by name. */
  of(service: Service): Pod[] {
    const [label] = firstLabel(service);
    if (label === undefined) return [];
    const found = this.#podsBy.get(label).filter((pod) => {
      const hasAddress = (pod.status?.podIP ?? '') !== '' || (pod.status?.podIPs?.length ?? 0) > 0;
      return hasAddress && !hasEnded(pod) && selects(service, pod);
    });
    return found.sort((one, other) => ((one.metadata.name ?? '') < (other.metadata.name ?? '') ? -1 : 1));
  }
}

function labelKeys({ namespace = '', labels = {} }: Pod['metadata']): string[] {
  return Object.entries(labels).map(([key, value]) => `${namespace}/${key}=${value}`);
}

/** The label by which the pods of a service are looked for, if it has pods. An empty selector is none once it is stored. */
function firstLabel({ metadata, spec }: Service): string[] {
  if (spec?.type === 'ExternalName') return [];
  return labelKeys({ namespace: metadata.namespace ?? '', labels: spec?.selector ?? {} }).slice(0, 1);
}

/** What of a pod is published. */
function differs(before: Pod, after: Pod): boolean {
  const facts = ({ metadata, spec, status }: Pod) => [
    metadata.labels ?? {},
    metadata.deletionTimestamp ?? '',
    [spec?.hostname ?? '', spec?.subdomain ?? '', spec?.nodeName ?? ''],
    status?.podIPs ?? [],
  ];
  return (
    isReady(before) !== isReady(after) ||
    hasEnded(before) !== hasEnded(after) ||
    !equalJson(facts(before), facts(after))
  );
}

/** Whether the selector of a service matches a pod; a service without a selector has no pods. */
function selects({ spec }: Service, { metadata }: Pod): boolean {
  const selector = Object.entries(spec?.selector ?? {});
  if (spec?.selector === undefined || spec.type === 'ExternalName') return false;
  return selector.every(([key, value]) => ownMember(metadata.labels, key) === value);
}

/** The port of a pod that stands for one of a service: a number, or that of a container's port of this name. */
export function targetPort({ spec }: Pod, { targetPort: target, protocol }: ServicePort): number | undefined {
  if (typeof target === 'number') return target;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const container of [...(spec?.containers ?? []), ...sidecars]) {
    const found = container.ports?.find((port) => port.name === target && (port.protocol ?? 'TCP') === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === 'None' || (spec?.clusterIP ?? '') === '';
}

/** The hostname by which a pod is published: one in the domain of the service. */
export function publishedHostname({ spec, metadata }: Pod, service: Service): string | undefined {
  const { hostname = '', subdomain } = spec ?? {};
  const isOfService = subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return hostname !== '' && isOfService ? hostname : undefined;
}

/** When a service and its pods last changed, in milliseconds: the creation of the service, or a pod that became ready. */
export function changedAtMs(service: Service, pods: readonly Pod[]): number {
  const ready = pods.flatMap(({ status }) => {
    const condition = status?.conditions?.find(({ type, status: state }) => type === 'Ready' && state === 'True');
    return condition?.lastTransitionTime ? [Date.parse(condition.lastTransitionTime)] : [];
  });
  return Math.max(Date.parse(service.metadata.creationTimestamp ?? ''), ...ready);
}
