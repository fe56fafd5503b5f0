// Controller that mirrors Endpoints to EndpointSlices: those of services without a selector, which somebody maintains by
// hand or by a program that does not know of slices.

import { isEnding } from '../../api/error-reasons.ts';
import { equalJson } from '../../api/json-equal.ts';
import type { Controller } from '../../controllers/controller.ts';
import type { Endpoints } from '../../resources/builtin/core/endpoints/objects.ts';
import type { Service } from '../../resources/builtin/core/service/objects.ts';
import type { EndpointSlice } from '../../resources/builtin/discovery/v1-objects.ts';
import { ClusterObjects } from '../cluster-objects.ts';
import type { ClusterContext } from '../context.ts';
import { ClusterEvents } from '../event-recorder.ts';
import type { Index, Informer } from '../informer.ts';
import { controlledBy, controllerOf } from '../owners.ts';
import { keyOf, reconciler, splitKey } from '../reconciler.ts';
import { keyOfService } from './endpoint-slices.ts';
import { mirroredEndpoints } from './mirrored-endpoints.ts';
import { TRIGGER_TIME } from './service-pods.ts';
import { SliceWriter } from './slice-writer.ts';

const ACCOUNT = 'endpointslicemirroring-controller';
const MANAGED_BY = 'endpointslicemirroring-controller.k8s.io';
const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGER_LABEL = 'endpointslice.kubernetes.io/managed-by';
const SKIP_LABEL = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Addresses of a subset that are mirrored. kube-controller-manager's default. */
const MOST = 1000;
const LONGEST_NAME = 253;

interface Mirroring {
  readonly objects: ClusterObjects;
  readonly events: ClusterEvents;
  readonly services: Informer<Service>;
  readonly endpoints: Informer<Endpoints>;
  readonly slices: Informer<EndpointSlice>;
  readonly slicesOf: Index<EndpointSlice>;
}

export function endpointSliceMirroring(context: ClusterContext): Controller {
  const objects = new ClusterObjects(context, ACCOUNT);
  const events = new ClusterEvents(context, { component: 'endpoint-slice-mirroring-controller', as: ACCOUNT });
  return reconciler(context, {
    name: 'endpointslice-mirroring-controller',
    async begin(keys) {
      const { informers } = context;
      const services = await informers.open<Service>('', 'services');
      const endpoints = await informers.open<Endpoints>('', 'endpoints');
      const slices = await informers.open<EndpointSlice>('discovery.k8s.io', 'endpointslices');
      const slicesOf = slices.index((slice) => (isOurs(slice) ? [keyOfService(slice)] : []));
      const ofService = (service: Service) => service.spec?.selector === undefined && keys.add(keyOf(service));
      services.follow({
        changed: (service, previous) => {
          const hasSelector = service.spec?.selector !== undefined;
          if (previous === undefined) ofService(service);
          else if ((previous.spec?.selector !== undefined) !== hasSelector) keys.add(keyOf(service));
        },
        removed: ofService,
      });
      endpoints.follow({
        changed: (each, previous) => {
          if (isMirrored(each) || (previous !== undefined && isMirrored(previous))) keys.add(keyOf(each));
        },
        removed: (each) => isMirrored(each) && keys.add(keyOf(each)),
      });
      const ofSlice = (slice: EndpointSlice) => isOurs(slice) && keys.add(keyOfService(slice));
      slices.follow({
        changed: (slice, previous) => {
          if (previous !== undefined) ofSlice(previous);
          ofSlice(slice);
        },
        removed: ofSlice,
      });
      const mirroring = { objects, events, services, endpoints, slices, slicesOf };
      return (key) => mirror(mirroring, key);
    },
  });
}

async function mirror({ objects, events, ...sources }: Mirroring, key: string): Promise<undefined> {
  const { namespace, name } = splitKey(key);
  const existing = sources.slicesOf.get(key);
  const service = sources.services.get(namespace, name);
  const endpoints = sources.endpoints.get(namespace, name);
  const isWanted = service !== undefined && service.spec?.selector === undefined;
  if (endpoints === undefined || !isMirrored(endpoints) || !isWanted) {
    for (const slice of existing) await objects.delete(sources.slices, slice);
    return;
  }
  const wanted = metadataOf(endpoints);
  const writer = new SliceWriter({
    ...{ slices: sources.slices, objects, most: MOST, ownsMetadata: true, changedMs: undefined },
    metadata: () => metadataOf(endpoints),
    isStale: (slice) =>
      !equalJson(slice.metadata.labels ?? {}, wanted.labels) ||
      !equalJson(slice.metadata.annotations ?? {}, wanted.annotations) ||
      controllerOf(slice)?.uid !== endpoints.metadata.uid,
  });
  for (const type of ['IPv4', 'IPv6']) {
    const { groups, skipped } = mirroredEndpoints(endpoints, type, MOST);
    if (skipped > 0 && type === 'IPv4') {
      const most = `A max of ${MOST} addresses can be mirrored to EndpointSlices per Endpoints subset.`;
      events.warn(endpoints, 'TooManyAddressesToMirror', `${most} ${skipped} addresses were skipped`);
    }
    const slices = existing.filter(({ addressType }) => addressType === type);
    if (groups.length === 0) for (const slice of slices) await objects.delete(sources.slices, slice);
    else await ignoringEnd(writer.write(type, groups, slices));
  }
}

/** Nothing can be created in a namespace that is being deleted. */
async function ignoringEnd(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isEnding(error)) throw error;
  }
}

function isMirrored({ metadata }: Endpoints): boolean {
  return metadata.labels?.[SKIP_LABEL] !== 'true' && metadata.annotations?.[LEADER] === undefined;
}

function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[MANAGER_LABEL] === MANAGED_BY;
}

function metadataOf(endpoints: Endpoints) {
  const { name = '', namespace = '', labels, annotations = {} } = endpoints.metadata;
  const { [TRIGGER_TIME]: _, [LAST_APPLIED]: __, ...mirrored } = annotations;
  return {
    generateName: name.length < LONGEST_NAME ? `${name}-` : name,
    namespace,
    labels: { ...labels, [SERVICE_NAME]: name, [MANAGER_LABEL]: MANAGED_BY },
    annotations: mirrored,
    ownerReferences: [controlledBy(endpoints)],
  };
}
