// The range of service addresses, whose first one belongs to the `kubernetes` service.

import { formatIp, type IpFamily, parseCidr } from '../resources/validation/ip-addresses.ts';

/** The first usable address of the (first) range: 10.0.0.1 of 10.0.0.0/24 and of 10.0.0.5/24. */
export function firstServiceAddress(ranges: string): string {
  const { family, base } = parseCidr((ranges.split(',')[0] ?? '').trim())!;
  return formatIp({ family, value: base + 1n });
}

/** The default IP family of services: that of the first range; undefined for a malformed one. */
export function firstServiceFamily(ranges: string): IpFamily | undefined {
  return parseCidr(ranges.split(',', 1)[0]!.trim())?.family;
}
