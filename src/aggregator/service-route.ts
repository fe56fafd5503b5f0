// Address of an APIService's server: a ready endpoint of its service, because cluster IPs may be unreachable from this
// server; the cluster IP if no endpoint is known.

import type { ApiObject, Json } from '../api/object.ts';
import { goQuote } from '../base/go-quote.ts';
import { at, listAt, numberAt, textAt } from '../resources/value.ts';
import type { ServicePort } from './api-service-index.ts';

interface RouteFacts {
  readonly service: ApiObject | undefined;
  /** Those of the service. */
  readonly slices: readonly ApiObject[];
  /** Whether only endpoints are used: --enable-aggregator-routing. */
  readonly endpointsOnly: boolean;
  /** A number below the given one. */
  readonly below: (count: number) => number;
}

export interface EndpointLocation {
  readonly host: string;
  readonly port: number;
}

/** @throws Error that says why there is no address */
export function serviceRoute({ name, port }: ServicePort, facts: RouteFacts): EndpointLocation {
  const { service, slices, endpointsOnly, below } = facts;
  if (service === undefined) throw new Error(`service ${goQuote(name)} not found`);
  const type = textAt(service, 'spec', 'type');
  if (type === 'ExternalName') {
    if (endpointsOnly) throw new Error(`unsupported service type ${goQuote(type)}`);
    return { host: textAt(service, 'spec', 'externalName'), port };
  }
  const own = listAt(service, 'spec', 'ports').find((each) => numberAt(each, 'port') === port);
  if (own === undefined) throw new Error(`no service port ${port} found for service ${goQuote(name)}`);
  const places = slices.flatMap((slice) => readyPlaces(slice, textAt(own, 'name')));
  if (places.length > 0) return places[places.length === 1 ? 0 : below(places.length)]!;
  if (endpointsOnly) throw new Error(`no endpoints available for service ${goQuote(name)}`);
  const host = textAt(service, 'spec', 'clusterIP');
  if (host === 'None' || host === '') throw new Error(`cannot route to service with ClusterIP ${goQuote(host)}`);
  return { host, port };
}

/** The ready addresses of a slice, with the port named like the service's. */
function readyPlaces(slice: ApiObject, portName: string): EndpointLocation[] {
  const found = listAt(slice, 'ports').find((each) => textAt(each, 'name') === portName && numberAt(each, 'port') > 0);
  if (found === undefined) return [];
  const ready = listAt(slice, 'endpoints').filter((each) => (at(each, 'conditions', 'ready') ?? true) === true);
  return ready.flatMap((each) =>
    listAt(each, 'addresses')
      .slice(0, 1)
      .map((address: Json) => ({ host: String(address), port: numberAt(found, 'port') })),
  );
}
