// Resources that pods ask for, in the units in which the kubelet compares them: thousandths of a CPU, and whole numbers
// of everything else.

import { ownMember } from '../../api/own-member.ts';
import { parseQuantity, quantityValue, roundUpQuantity } from '../../api/quantity.ts';
import type { ResourceRequirements } from '../../resources/builtin/core/pod/container-objects.ts';
import type { Pod } from '../../resources/builtin/core/pod/objects.ts';
import { initContainersOf, mainContainersOf, type PodContainer } from './container-kinds.ts';

const MILLI = -3;

/** The amount of a resource. */
export function amountOf(resource: string, text: string | undefined): bigint {
  if (text === undefined) return 0n;
  const quantity = parseQuantity(text);
  if (resource !== 'cpu') return quantityValue(quantity);
  const { mantissa, exponent } = roundUpQuantity(quantity, MILLI);
  return mantissa * 10n ** BigInt(exponent - MILLI);
}

/**
 * What a pod asks for: that of its containers and sidecars together, or of an init container and the sidecars before it,
 * whichever is more, and its overhead.
 *
 * @param resourcesOf what each container has, if it is not what its spec says
 */
export function podRequest(
  pod: Pod,
  resource: string,
  resourcesOf: (container: PodContainer) => ResourceRequirements | undefined = ({ spec }) => spec.resources,
): bigint {
  const request = (container: PodContainer) =>
    amountOf(resource, ownMember(resourcesOf(container)?.requests, resource));
  const overhead = amountOf(resource, ownMember(pod.spec?.overhead, resource));
  const whole = ownMember(pod.spec?.resources?.requests, resource);
  if (whole !== undefined) return amountOf(resource, whole) + overhead;
  let sidecars = 0n;
  let most = 0n;
  for (const container of initContainersOf(pod)) {
    const amount = request(container);
    if (container.kind === 'sidecar') sidecars += amount;
    const now = container.kind === 'sidecar' ? sidecars : sidecars + amount;
    if (now > most) most = now;
  }
  const together = mainContainersOf(pod).reduce((sum, each) => sum + request(each), sidecars);
  return (together > most ? together : most) + overhead;
}
