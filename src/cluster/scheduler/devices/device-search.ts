// The search for devices that meet all requests of a pod's claims at once on a node. Devices are tried in their order; if
// a later request cannot be met, earlier choices are reconsidered, up to a limit.

import { ownMember } from '../../../api/own-member.ts';
import { limits } from '../../../base/limits.ts';
import type {
  DeviceAttribute,
  DeviceConstraint,
  ResourceClaim,
} from '../../../resources/builtin/resource/v1-objects.ts';
import { deviceKey, type PooledDevice } from './device-pools.ts';
import type { Alternative, WantedDevices } from './device-requests.ts';

/** The most devices of one claim. Kubernetes' value. */
const DEVICES_OF_CLAIM = 32;

/** A device that was chosen for a request. */
export interface ChosenDevice {
  readonly claim: ResourceClaim;
  readonly alternative: Alternative;
  readonly from: PooledDevice;
}

export class DeviceSearch {
  readonly #wanted: readonly WantedDevices[];
  /** Devices that other pods have. */
  readonly #taken: ReadonlySet<string>;
  readonly #chosen: ChosenDevice[] = [];
  #trials = 0;

  constructor(wanted: readonly WantedDevices[], taken: ReadonlySet<string>) {
    this.#wanted = wanted;
    this.#taken = taken;
  }

  /** Devices for all requests in their order; undefined if there are not enough. */
  find(): readonly ChosenDevice[] | 'too long' | undefined {
    if (this.#meet(0)) return this.#chosen;
    return this.#isTooLong ? 'too long' : undefined;
  }

  get #isTooLong(): boolean {
    return this.#trials > limits.deviceTrials;
  }

  #meet(at: number): boolean {
    const wanted = this.#wanted[at];
    if (wanted === undefined) return true;
    return wanted.alternatives.some((alternative) => {
      if (alternative.takesAll && alternative.count === 0) return false;
      return this.#fill(at, alternative, { left: alternative.count, from: 0 });
    });
  }

  /** Chooses the devices that are left to choose, none before `from`, and then those of later requests. */
  #fill(at: number, alternative: Alternative, { left, from }: { left: number; from: number }): boolean {
    if (left === 0) return this.#meet(at + 1);
    const { claim } = this.#wanted[at]!;
    const last = alternative.devices.length - left;
    for (let index = from; index <= last; index++) {
      if (++this.#trials > limits.deviceTrials) return false;
      const choice = { claim, alternative, from: alternative.devices[index]! };
      if (this.#isUsable(choice)) {
        this.#chosen.push(choice);
        if (this.#fill(at, alternative, { left: left - 1, from: index + 1 })) return true;
        this.#chosen.pop();
      }
      if (alternative.takesAll) return false;
    }
    return false;
  }

  #isUsable(choice: ChosenDevice): boolean {
    const { claim, alternative } = choice;
    const key = keyOf(choice);
    const ofClaim = this.#chosen.filter((each) => each.claim === claim);
    if (ofClaim.length >= DEVICES_OF_CLAIM) return false;
    // Administrators look at devices that others use.
    const rivals = alternative.isAdmin ? ofClaim : this.#chosen.filter((each) => !each.alternative.isAdmin);
    if (rivals.some((each) => keyOf(each) === key)) return false;
    if (!alternative.isAdmin && this.#taken.has(key)) return false;
    const constraints = claim.spec?.devices?.constraints ?? [];
    return constraints.every((each) => isMet(each, choice, ofClaim));
  }
}

function keyOf({ from }: ChosenDevice): string {
  return deviceKey(from.driver, from.pool, from.device.name ?? '');
}

/** Whether all devices of the requests that a constraint is about have the same value of an attribute. */
function isMet(
  { requests = [], matchAttribute = '' }: DeviceConstraint,
  choice: ChosenDevice,
  others: readonly ChosenDevice[],
): boolean {
  const isAbout = ({ alternative: { name } }: ChosenDevice) =>
    requests.length === 0 || requests.includes(name) || requests.includes(name.split('/')[0]!);
  if (!isAbout(choice)) return true;
  const own = attributeOf(choice.from, matchAttribute);
  if (own === undefined) return false;
  const other = others.find(isAbout);
  return other === undefined || attributeOf(other.from, matchAttribute) === own;
}

/** A text that differs for different values of an attribute. */
function attributeOf({ driver, device }: PooledDevice, name: string): string | undefined {
  const inDomain = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : '';
  const found: DeviceAttribute | undefined =
    ownMember(device.attributes, name) ?? ownMember(device.attributes, inDomain);
  if (found === undefined) return undefined;
  const [type, value] = Object.entries(found)[0] ?? [];
  return `${type} ${value}`;
}
