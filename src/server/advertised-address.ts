// The address under which clients on other machines find the server.

import { isGlobalUnicast } from '../base/global-unicast.ts';

interface AddressOptions {
  readonly advertiseAddress: string | undefined;
  readonly bindAddress: string;
}

/** What os.networkInterfaces() tells of an address. */
export interface InterfaceAddress {
  readonly address: string;
  readonly family: string;
}

/**
 * As kube-apiserver chooses it: --advertise-address; else the address the server listens on; else, where that is every
 * address or one of the loopback, one of this machine's, of IPv4 first. Undefined where there is none.
 */
export function advertisedAddress(
  { advertiseAddress, bindAddress }: AddressOptions,
  addresses: () => readonly InterfaceAddress[],
): string | undefined {
  if (advertiseAddress !== undefined) return isGlobalUnicast(advertiseAddress) ? advertiseAddress : undefined;
  if (isGlobalUnicast(bindAddress)) return bindAddress;
  const reachable = addresses().filter(({ address }) => isGlobalUnicast(address));
  return (reachable.find(({ family }) => family === 'IPv4') ?? reachable[0])?.address;
}
