// The address under which clients on other machines find the server.

import { isIPv4 } from 'node:net';
import type { ServerOptions } from './options.ts';

/** What os.networkInterfaces() tells of an address. */
export interface InterfaceAddress {
  readonly address: string;
  readonly family: string;
  /** Of this machine alone. */
  readonly internal: boolean;
}

/**
 * As kube-apiserver chooses it: --advertise-address; else the address the server listens on; else, where that is every
 * address, one of this machine's, of IPv4 first. Undefined where nobody else can connect.
 */
export function advertisedAddress(
  { advertiseAddress, bindAddress }: Pick<ServerOptions, 'advertiseAddress' | 'bindAddress'>,
  addresses: () => readonly InterfaceAddress[],
): string | undefined {
  const chosen = advertiseAddress ?? bindAddress;
  if (chosen !== '0.0.0.0' && chosen !== '::') return isLoopback(chosen) ? undefined : chosen;
  const reachable = addresses().filter(({ address, internal }) => !internal && !address.startsWith('fe80:'));
  return (reachable.find(({ family }) => family === 'IPv4') ?? reachable[0])?.address;
}

function isLoopback(address: string): boolean {
  return isIPv4(address) ? address.startsWith('127.') : address === '::1';
}
