// Cache of validation results for pod specs. Controllers create pods by the thousand from one template: a result holds
// for all specs that are equal, except for the generated name of the token volume, on the same server: others have other
// feature gates and options.

import { isObject } from '../../../../api/is-object.ts';
import type { ReadonlyJson } from '../../../../api/object.ts';
import { ownMember } from '../../../../api/own-member.ts';
import { limits } from '../../../../base/limits.ts';
import type { PodSpec } from './objects.ts';

/** The results for a spec and all equal ones. */
export interface KnownPodSpec {
  /** It passes the validation of pod specs. */
  isSound: boolean;
  /** It causes no warnings. */
  isQuiet: boolean;
}

interface Remembered {
  readonly spec: PodSpec;
  readonly known: KnownPodSpec;
}

/** Recently seen pod specs. Specs passed in must not be modified any more. */
export class KnownPodSpecs {
  /** The most recently used first. */
  readonly #remembered: Remembered[] = [];
  /** The last spec: steps after validation ask for it again. */
  #last: Remembered | undefined;

  /** The cache entry of a spec; undefined for a spec that is too long, or whose validation depends on its pod's name. */
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
    if (countMembers(spec, limits.knownPodSpecMembers) > limits.knownPodSpecMembers) return undefined;
    const known = { isSound: false, isQuiet: false };
    remembered.unshift({ spec, known });
    if (remembered.length > limits.knownPodSpecs) remembered.pop();
    return known;
  }
}

/** The number of members and items in a value, or a greater number than `most`. */
function countMembers(value: ReadonlyJson | undefined, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const name in value) {
    if (++count > most) break;
    count += countMembers((value as ReadonlyMembers)[name], most - count);
  }
  return count;
}

/** Generated names of token volumes. */
const MADE_UP = /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const MADE_UP_START = 'kube-api-access-';

/** Whether two specs differ only in one generated name, wherever it occurs. */
function isSame(one: PodSpec, other: PodSpec): boolean {
  return new Comparison().isSame(one, other);
}

class Comparison {
  /** The name in one spec and the corresponding one in the other. */
  #one: string | undefined;
  #other: string | undefined;

  isSame(one: ReadonlyJson | undefined, other: ReadonlyJson | undefined): boolean {
    if (typeof one === 'string' && one.startsWith(MADE_UP_START)) return this.#isSameName(one, other);
    if (one === other) return true;
    if (Array.isArray(one)) return Array.isArray(other) && this.#isSameList(one, other);
    if (!isMap(one) || !isMap(other)) return false;
    let members = 0;
    for (const name in one) {
      if (one[name] === undefined || !this.isSame(one[name], ownMember(other, name))) return false;
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

  /** No other text may begin like the name: it could be the same text in one spec and a different one in the other. */
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
  return isObject(value);
}
