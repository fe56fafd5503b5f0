// IP addresses as CEL values: parsing, canonical form, and classification. Rules and error messages are those of Go's
// net/netip, which rejects leading zeros.

import { goQuote } from '../../base/go-quote.ts';
import { opaqueType, type Type } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { OpaqueValue, type Value } from '../value/value.ts';

/** An address of version 4, four parts of 8 bits, or of version 6, eight parts of 16 bits. */
export class IpAddress extends OpaqueValue {
  override readonly type: Type<unknown> = IP_TYPE;
  readonly family: 4 | 6;
  readonly parts: readonly number[];
  /** In bytes. */
  override readonly size: number;

  constructor(parts: readonly number[]) {
    super();
    this.family = parts.length === 4 ? 4 : 6;
    this.parts = parts;
    this.size = this.family === 4 ? 4 : 16;
  }

  get bitsOfPart(): number {
    return this.family === 4 ? 8 : 16;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof IpAddress)) throw new EvaluationError('no such overload');
    return this.parts.length === other.parts.length && this.parts.every((part, index) => part === other.parts[index]);
  }

  /** `10.0.0.1`; of version 6 in lower case, the first of the longest runs of zeros as `::`. */
  override toString(): string {
    return this.family === 4 ? this.parts.join('.') : ipv6Text(this.parts);
  }

  /** The address with all but its first bits zero. */
  masked(bits: number): IpAddress {
    const width = this.bitsOfPart;
    return new IpAddress(
      this.parts.map((part, index) => {
        const kept = Math.min(Math.max(bits - index * width, 0), width);
        return (part >> (width - kept)) << (width - kept);
      }),
    );
  }

  /** Whether it is an IPv4-mapped IPv6 address. */
  get isMapped(): boolean {
    return this.family === 6 && this.parts[5] === 0xffff && this.parts.slice(0, 5).every((part) => part === 0);
  }

  get isUnspecified(): boolean {
    return this.parts.every((part) => part === 0);
  }

  get isLoopback(): boolean {
    if (this.family === 4) return this.parts[0] === 127;
    return this.parts[7] === 1 && this.parts.slice(0, 7).every((part) => part === 0);
  }

  get isMulticast(): boolean {
    return this.family === 4 ? this.first >> 4 === 0xe : this.first >> 8 === 0xff;
  }

  get isLinkLocalMulticast(): boolean {
    if (this.family === 4) return this.first === 224 && this.parts[1] === 0 && this.parts[2] === 0;
    return (this.first & 0xff0f) === 0xff02;
  }

  get isLinkLocalUnicast(): boolean {
    if (this.family === 4) return this.first === 169 && this.parts[1] === 254;
    return (this.first & 0xffc0) === 0xfe80;
  }

  /** Includes private addresses. */
  get isGlobalUnicast(): boolean {
    const isBroadcast = this.family === 4 && this.parts.every((part) => part === 255);
    return !(isBroadcast || this.isUnspecified || this.isLoopback || this.isMulticast || this.isLinkLocalUnicast);
  }

  private get first(): number {
    return this.parts[0] as number;
  }
}

export const IP_TYPE = opaqueType<IpAddress>('net.IP');

function ipv6Text(parts: readonly number[]): string {
  const groups = parts.map((part) => part.toString(16));
  const gap = longestRunOfZeros(parts);
  if (gap.length < 2) return groups.join(':');
  return `${groups.slice(0, gap.start).join(':')}::${groups.slice(gap.start + gap.length).join(':')}`;
}

function longestRunOfZeros(parts: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let length = 0;
  for (const [index, part] of parts.entries()) {
    length = part === 0 ? length + 1 : 0;
    if (length > longest.length) longest = { start: index + 1 - length, length };
  }
  return longest;
}

/** A parsed address: with a zone, which only IPv6 addresses can have, '' for none. */
interface ReadAddress {
  readonly address: IpAddress;
  readonly zone: string;
}

/**
 * Parses an address. A string result is the error.
 * @param text such as `10.0.0.1`, `fe80::1` or `fe80::1%eth0`
 */
export function readAddress(text: string): ReadAddress | string {
  const mark = /[.:%]/.exec(text)?.[0];
  try {
    if (mark === '.') return { address: new IpAddress(ipv4Parts(text)), zone: '' };
    if (mark === ':') return readIpv6(text);
  } catch (error) {
    if (error instanceof Fault) return error.message(text);
    throw error;
  }
  return new Fault(mark === '%' ? 'missing IPv6 address' : 'unable to parse IP').message(text);
}

/** Why a text is not an address, and the part that could not be parsed. Thrown inside this file. */
class Fault {
  readonly reason: string;
  readonly at: string;

  constructor(reason: string, at = '') {
    this.reason = reason;
    this.at = at;
  }

  message(text: string): string {
    return `ParseAddr(${goQuote(text)}): ${this.reason}${this.at === '' ? '' : ` (at ${goQuote(this.at)})`}`;
  }
}

const ZERO = 48;
const DOT = 46;

function ipv4Parts(text: string): number[] {
  const parts: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= ZERO + 9) {
      if (digits === 1 && value === 0) throw new Fault('IPv4 field has octet with leading zero');
      value = value * 10 + code - ZERO;
      digits++;
      if (value > 255) throw new Fault('IPv4 field has value >255');
    } else if (code === DOT) {
      if (digits === 0 || index === text.length - 1) {
        throw new Fault('IPv4 field must have at least one digit', text.slice(index));
      }
      if (parts.length === 3) throw new Fault('IPv4 address too long');
      parts.push(value);
      value = 0;
      digits = 0;
    } else {
      throw new Fault('unexpected character', text.slice(index));
    }
  }
  if (parts.length < 3) throw new Fault('IPv4 address too short');
  parts.push(value);
  return parts;
}

function readIpv6(text: string): ReadAddress {
  const percent = text.indexOf('%');
  if (percent < 0) return { address: new IpAddress(ipv6Parts(text)), zone: '' };
  const zone = text.slice(percent + 1);
  if (zone === '') throw new Fault('zone must be a non-empty string');
  return { address: new IpAddress(ipv6Parts(text.slice(0, percent))), zone };
}

function ipv6Parts(text: string): number[] {
  const groups: number[] = [];
  let gap = -1;
  let rest = text;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
  }
  while (rest !== '' && groups.length < 8) {
    const digits = hexDigits(rest);
    if (digits > 4) throw new Fault('each group must have 4 or less digits', rest);
    if (digits === 0) throw new Fault('each colon-separated field must have at least one digit', rest);
    if (rest.charCodeAt(digits) === DOT) {
      groups.push(...embeddedIpv4(rest, groups.length, gap));
      rest = '';
      break;
    }
    groups.push(Number.parseInt(rest.slice(0, digits), 16));
    rest = rest.slice(digits);
    if (rest === '') break;
    rest = behindColon(rest);
    if (rest.startsWith(':')) {
      if (gap >= 0) throw new Fault('multiple :: in address', rest);
      gap = groups.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') throw new Fault('trailing garbage after address', rest);
  return widened(groups, gap);
}

/** How many hexadecimal digits a text begins with; more than four are as good as five. */
function hexDigits(text: string): number {
  let count = 0;
  while (count < 5 && isHexDigit(text.charCodeAt(count))) count++;
  return count;
}

function isHexDigit(code: number): boolean {
  const letter = code | 0x20;
  return (code >= ZERO && code <= ZERO + 9) || (letter >= 97 && letter <= 102);
}

function behindColon(rest: string): string {
  if (!rest.startsWith(':')) throw new Fault('unexpected character, want colon', rest);
  if (rest === ':') throw new Fault('colon must be followed by more characters', rest);
  return rest.slice(1);
}

/** The last two groups written as an address of version 4. */
function embeddedIpv4(rest: string, groups: number, gap: number): number[] {
  if (gap < 0 && groups !== 6) {
    throw new Fault('embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (groups > 6) throw new Fault('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const [a, b, c, d] = ipv4Parts(rest) as [number, number, number, number];
  return [a * 256 + b, c * 256 + d];
}

function widened(groups: readonly number[], gap: number): number[] {
  if (groups.length === 8) {
    if (gap >= 0) throw new Fault('the :: must expand to at least one field of zeros');
    return [...groups];
  }
  if (gap < 0) throw new Fault('address string too short');
  return [...groups.slice(0, gap), ...Array<number>(8 - groups.length).fill(0), ...groups.slice(gap)];
}
