// Resolution of a Service to an address that this server can reach: a ready endpoint, because cluster IPs may be
// unreachable from the server, or the cluster IP if there is none.

import type { ObjectLookup } from '../admission/object-lookup.ts';
import type { Json } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import type { Random } from '../base/random.ts';
import type { ServiceReference } from '../outbound/webhook-call.ts';
import type { ServiceLocation } from '../outbound/webhook-client.ts';
import { listAt, numberAt, textAt } from '../resources/value.ts';

const WITH_ADDRESS = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** @throws Error with Kubernetes' message if there is no such address */
export async function servicePlace(
  { namespace, name, port }: ServiceReference,
  { objects, random }: { objects: ObjectLookup; random: Random },
): Promise<ServiceLocation> {
  const service = await objects.find({ group: '', resource: 'services' }, namespace, name);
  if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
  const type = textAt(service, 'spec', 'type');
  if (type === 'ExternalName') return { host: textAt(service, 'spec', 'externalName'), port };
  if (!WITH_ADDRESS.includes(type)) throw new Error(`unsupported service type ${goQuote(type)}`);
  const own = listAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === port);
  if (own === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  const endpoints = await objects.find({ group: '', resource: 'endpoints' }, namespace, name);
  const places = listAt(endpoints, 'subsets').flatMap((subset) => placesOf(subset, textAt(own, 'name')));
  const ready = places[places.length < 2 ? 0 : random.below(places.length)];
  if (ready !== undefined) return ready;
  const address = textAt(service, 'spec', 'clusterIP');
  if (address === 'None') throw new Error('cannot route to service with ClusterIP "None"');
  return { host: address, port };
}

/** The addresses of a subset, with the port named like the service's. */
function placesOf(subset: Json, portName: string): ServiceLocation[] {
  const found = listAt(subset, 'ports').find((each) => textAt(each, 'name') === portName);
  if (found === undefined) return [];
  return listAt(subset, 'addresses').map((each) => ({ host: textAt(each, 'ip'), port: numberAt(found, 'port') }));
}
