// Opening of connections to other machines. The only place that does; tests supply another implementation.

import { lookup as lookupName } from 'node:dns';
import { connect, isIP, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressNotAllowedError, isGlobalUnicast } from '../base/global-unicast.ts';

export interface DialTarget {
  readonly host: string;
  readonly port: number;
  /** Whether loopback, link-local and multicast addresses are forbidden, under any name. */
  readonly globalOnly: boolean;
}

/** A socket or a stream that stands for one, as far as the HTTP client needs it. */
export interface Connection extends Duplex {
  setKeepAlive(enable?: boolean, delayMs?: number): unknown;
  setNoDelay(noDelay?: boolean): unknown;
  setTimeout(timeoutMs: number, callback?: () => void): unknown;
  ref(): unknown;
  unref(): unknown;
}

/** Begins to connect; the result is the event `connect` or `error`. */
export type Dial = (target: DialTarget) => Connection;

export const dial: Dial = ({ host, port, globalOnly }) => {
  if (!globalOnly) return connect({ host, port });
  const socket = connect({ host, port, lookup: globalLookup });
  // Names are resolved by the function above; addresses are not resolved at all.
  if (isIP(host) !== 0 && !isGlobalUnicast(host)) socket.destroy(new AddressNotAllowedError());
  return socket;
};

/** All addresses of a name must be allowed, because another lookup may return any of them. */
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

/**
 * Rejects with AddressNotAllowedError for a host that is, or may resolve to, a loopback, link-local or multicast
 * address.
 */
export function checkGlobalOnly(host: string): Promise<void> {
  if (isIP(host) !== 0) {
    return isGlobalUnicast(host) ? Promise.resolve() : Promise.reject(new AddressNotAllowedError());
  }
  return new Promise((resolve, reject) => {
    globalLookup(host, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
