// The address at which clients on other machines reach the server.

import { isGlobalUnicast } from '../base/global-unicast.ts';

interface AddressOptions {
  readonly advertiseAddress: string | undefined;
  readonly bindAddress: string;
}

/** An address as reported by os.networkInterfaces(). */
export interface InterfaceAddress {
  readonly address: string;
  readonly family: string;
}

/**
 * Chosen as in kube-apiserver: --advertise-address; otherwise the address that the server listens on; if that is
 * unspecified or loopback, an address of this machine, preferably IPv4. Undefined if there is none.
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
