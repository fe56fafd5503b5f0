// Opening a connection to a machine. The one place that does; tests hand in another way.

import { lookup as lookupName } from 'node:dns';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { AddressNotAllowedError, isGlobalUnicast } from '../base/global-unicast.ts';

interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** Whether this machine, its link and groups of machines are out of bounds, under whatever name. */
  readonly globalOnly: boolean;
}

/** Begins to connect; the socket tells by its events how that ends. */
export type Dial = (target: DialTarget) => Socket;

export const dial: Dial = ({ host, port, globalOnly }) => {
  if (!globalOnly) return connect({ host, port });
  const socket = connect({ host, port, lookup: globalLookup });
  // Names are looked up by the function above; addresses are not looked up at all.
  if (isIP(host) !== 0 && !isGlobalUnicast(host)) socket.destroy(new AddressNotAllowedError());
  return socket;
};

/** A name is as good as the worst of its addresses: another lookup may give any of them. */
const globalLookup: LookupFunction = (hostname, options, callback) => {
  lookupName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(new AddressNotAllowedError(`lookup ${hostname}: no such host`), '');
    if (!addresses.every(({ address }) => isGlobalUnicast(address))) {
      return callback(new AddressNotAllowedError(), '');
    }
    if (options.all === true) return callback(null, addresses);
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  });
};
