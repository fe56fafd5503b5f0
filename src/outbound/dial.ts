// Opening a connection to a machine. The one place that does; tests hand in another way.

import { lookup as lookupName } from 'node:dns';
import { connect, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressNotAllowedError, isGlobalUnicast } from '../base/global-unicast.ts';

export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** Whether this machine, its link and groups of machines are out of bounds, under whatever name. */
  readonly globalOnly: boolean;
}

/** Bytes both ways, of a socket or of something that stands for one: what HTTP's client asks of it. */
export interface Connection extends Duplex {
  setKeepAlive(enable?: boolean, delayMs?: number): unknown;
  setNoDelay(noDelay?: boolean): unknown;
  setTimeout(timeoutMs: number, callback?: () => void): unknown;
  ref(): unknown;
  unref(): unknown;
}

/** Begins to connect; the connection tells by its events how that ends: `connect` or `error`. */
export type Dial = (target: DialTarget) => Connection;

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

/** Rejects with AddressNotAllowedError for a host that is, or may be, this machine, on its link or a group of machines. */
export function checkGlobalOnly(host: string): Promise<void> {
  if (isIP(host) !== 0) {
    return isGlobalUnicast(host) ? Promise.resolve() : Promise.reject(new AddressNotAllowedError());
  }
  return new Promise((resolve, reject) => {
    globalLookup(host, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
