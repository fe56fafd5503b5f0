// Controllers make pods by the thousand of one template. What was found out about the spec of one holds for the next
// whose spec is the same, but for the name of the volume with its token, which the server makes up.

import type { ReadonlyJson } from '../../../../api/object.ts';
import { limits } from '../../../../base/limits.ts';
import type { PodSpec } from './objects.ts';

/** What is known of a spec and of all that are the same. */
export interface KnownPodSpec {
  /** It keeps all rules for specs of pods. */
  isSound: boolean;
  /** Nobody is warned of anything in it. */
  isQuiet: boolean;
}

interface Remembered {
  readonly spec: PodSpec;
  readonly known: KnownPodSpec;
}

/** The specs of pods that were seen last. Hand in specs that nobody changes any more. */
export class KnownPodSpecs {
  /** The one that was needed last comes first. */
  readonly #remembered: Remembered[] = [];
  /** The spec that was asked for last: what comes after validation asks for it again. */
  #last: Remembered | undefined;

  /** What is known, and can be noted, of a spec; undefined for one whose rules look at its pod's name, too. */
  of(spec: PodSpec): KnownPodSpec | undefined {
    if (this.#last?.spec === spec) return this.#last.known;
    const known = this.#find(spec);
    this.#last = known && { spec, known };
    return known;
  }

  #find(spec: PodSpec): KnownPodSpec | undefined {
    const remembered = this.#remembered;
    for (let at = 0; at < remembered.length; at++) {
      const each = remembered[at] as Remembered;
      if (each.spec !== spec && !isSame(each.spec, spec)) continue;
      remembered.copyWithin(1, 0, at);
      remembered[0] = each;
      return each.known;
    }
    if (spec.resourceClaims !== undefined || spec.volumes?.some((volume) => volume.ephemeral !== undefined)) {
      return undefined;
    }
    const known = { isSound: false, isQuiet: false };
    remembered.unshift({ spec, known });
    if (remembered.length > limits.knownPodSpecs) remembered.pop();
    return known;
  }
}

/** What was asked of specs before changes no answer: a memory only. */
export const knownPodSpecs: KnownPodSpecs = new KnownPodSpecs();

/** Names that the server makes up for the volumes with tokens. */
const MADE_UP = /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const MADE_UP_START = 'kube-api-access-';

/** Whether two specs differ in nothing but one made up name, which is another one wherever it stands. */
function isSame(one: PodSpec, other: PodSpec): boolean {
  return new Comparison().isSame(one, other);
}

class Comparison {
  /** The name in the one spec and the name in its place in the other. */
  #one: string | undefined;
  #other: string | undefined;

  isSame(one: ReadonlyJson | undefined, other: ReadonlyJson | undefined): boolean {
    if (typeof one === 'string' && one.startsWith(MADE_UP_START)) return this.#isSameName(one, other);
    if (one === other) return true;
    if (Array.isArray(one)) return Array.isArray(other) && this.#isSameList(one, other);
    if (!isMap(one) || !isMap(other)) return false;
    let members = 0;
    for (const name in one) {
      if (one[name] === undefined || !this.isSame(one[name], other[name])) return false;
      members++;
    }
    for (const _ in other) members--;
    return members === 0;
  }

  #isSameList(one: readonly ReadonlyJson[], other: readonly ReadonlyJson[]): boolean {
    if (one.length !== other.length) return false;
    for (let at = 0; at < one.length; at++) if (!this.isSame(one[at], other[at])) return false;
    return true;
  }

  /** No other text may begin like the name: it could be the same in one spec and another in the other. */
  #isSameName(one: string, other: ReadonlyJson | undefined): boolean {
    if (this.#one !== undefined) return one === this.#one && other === this.#other;
    if (!MADE_UP.test(one) || typeof other !== 'string' || !MADE_UP.test(other)) return false;
    this.#one = one;
    this.#other = other;
    return true;
  }
}

type ReadonlyMembers = { readonly [name: string]: ReadonlyJson | undefined };

function isMap(value: ReadonlyJson | undefined): value is ReadonlyMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
