// The resource componentstatuses: the health of a control plane's components. Nothing is stored; each component is
// queried on demand. Deprecated for a long time, and still used.

import { errors } from '../api/errors.ts';
import type { ApiObject } from '../api/object.ts';
import { isSince } from '../lifecycle/version.ts';
import { refuseExport } from './get.ts';
import { checkListOptions } from './list.ts';
import type { ListAnswer, ResourceRequest, StoredObject } from './resource-request.ts';
import { parseSelectors, selectionOf } from './selection.ts';
import { encodeStored } from './stored-form.ts';

export interface ComponentHealth {
  readonly healthy: boolean;
  /** The component's response, or why it could not be queried. */
  readonly message: string;
}

/** Queries the health of one component. Never rejects. */
type ComponentProbe = () => Promise<ComponentHealth>;

export type ComponentProbes = Readonly<Record<string, ComponentProbe>>;

/** @throws ApiError 400 for a refused parameter; 404 with the kind in its message, or 500 before 1.33 */
export async function getComponentStatus(probes: ComponentProbes, request: ResourceRequest): Promise<StoredObject> {
  refuseExport(request);
  const { name } = request;
  const probe = Object.hasOwn(probes, name) ? probes[name] : undefined;
  if (probe === undefined) {
    if (!isSince(request.definition, 33)) throw errors.unexplained(`Component not found: ${name}`);
    throw errors.notFound({ group: '', resource: 'componentstatus', name });
  }
  return statusOf(request, name, await probe());
}

/** @throws ApiError 400 and 422 for invalid parameters */
export async function listComponentStatuses(probes: ComponentProbes, request: ResourceRequest): Promise<ListAnswer> {
  checkListOptions(request);
  const selection = selectionOf(request, parseSelectors(request.query));
  const selected = Object.entries(probes).filter(([name]) => {
    const attributes = { name, namespace: '', labels: undefined, fields: undefined };
    if (selection.name !== undefined && selection.name !== name) return false;
    return selection.matches === undefined || selection.matches(attributes);
  });
  const objects = await Promise.all(selected.map(async ([name, probe]) => statusOf(request, name, await probe())));
  return { type: 'list', objects, revision: 0, continueToken: '', remaining: undefined };
}

function statusOf({ definition }: ResourceRequest, name: string, { healthy, message }: ComponentHealth): StoredObject {
  const status: ApiObject = {
    // Releases before 1.34 write the time of what was never created.
    metadata: (isSince(definition, 34) ? { name } : { name, creationTimestamp: null }) as ApiObject['metadata'],
    conditions: [{ type: 'Healthy', status: healthy ? 'True' : 'False', message }],
  };
  return { bytes: encodeStored(definition, status), revision: 0 };
}
