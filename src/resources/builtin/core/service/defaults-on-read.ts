// Defaults that a stored Service gets when it is read: services of clusters older than 1.20 have no `clusterIPs` and no IP families,
// and some of type ExternalName have an internal traffic policy that does not apply to them.

import type { Draft } from '../../../../api/object.ts';
import { type IpFamily, parseIp } from '../../../validation/ip-addresses.ts';
import type { Service, ServiceSpec } from './objects.ts';
import { isHeadless, needsAddresses } from './service-type.ts';

/** @param primary the default family of the cluster. Modifies `service`. @returns whether something was missing */
export function serviceDefaultsOnRead({ spec }: Draft<Service>, primary: IpFamily): boolean {
  if (spec === undefined) return false;
  if (!needsAddresses(spec)) {
    delete spec.internalTrafficPolicy;
    return false;
  }
  const isOld = (spec.clusterIP ?? '') !== '' && (spec.clusterIPs ?? []).length === 0;
  if (isOld) spec.clusterIPs = [spec.clusterIP!];
  return familiesOnRead(spec, primary) || isOld;
}

function familiesOnRead(spec: Draft<ServiceSpec>, primary: IpFamily): boolean {
  if ((spec.ipFamilies ?? []).length > 0) return false;
  const families = isHeadless(spec) ? headlessFamilies(spec, primary) : (spec.clusterIPs ?? []).map(familyOf);
  if (families.length === 0) return false;
  spec.ipFamilies = families;
  spec.ipFamilyPolicy = families.length === 1 ? 'SingleStack' : 'RequireDualStack';
  return true;
}

/** The endpoints of a headless service without a selector may have any family. */
function headlessFamilies({ selector = {} }: Draft<ServiceSpec>, primary: IpFamily): IpFamily[] {
  if (Object.keys(selector).length > 0) return [primary];
  return primary === 'IPv4' ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4'];
}

function familyOf(address: string): IpFamily {
  return parseIp(address)?.family ?? 'IPv4';
}
