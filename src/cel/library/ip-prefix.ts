// Networks in CIDR notation as CEL values: an address and a prefix length. Rules and error messages are those of Go's
// net/netip; host bits may be set.

import { goQuote } from '../../base/go-quote.ts';
import { opaqueType, type Type } from '../types/type.ts';
import { EvaluationError } from '../value/evaluation-error.ts';
import { OpaqueValue, type Value } from '../value/value.ts';
import { type IpAddress, readAddress } from './ip-address.ts';

export class IpPrefix extends OpaqueValue {
  override readonly type: Type<unknown> = CIDR_TYPE;
  readonly address: IpAddress;
  /** The prefix length of the network. */
  readonly bits: number;
  /** In bytes, those of the network's name alone. */
  override readonly size: number;

  constructor(address: IpAddress, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
    this.size = Math.ceil(bits / 8);
  }

  override equals(other: Value): boolean {
    if (!(other instanceof IpPrefix)) throw new EvaluationError('no such overload');
    return this.bits === other.bits && this.address.equals(other.address);
  }

  override toString(): string {
    return `${this.address}/${this.bits}`;
  }

  masked(): IpPrefix {
    return new IpPrefix(this.address.masked(this.bits), this.bits);
  }

  contains(address: IpAddress): boolean {
    if (this.address.family !== address.family) return false;
    const width = address.bitsOfPart;
    return address.parts.every((part, index) => {
      const kept = Math.min(Math.max(this.bits - index * width, 0), width);
      return (part ^ (this.address.parts[index] as number)) >> (width - kept) === 0;
    });
  }

  containsPrefix(other: IpPrefix): boolean {
    return this.bits <= other.bits && this.contains(other.address);
  }
}

export const CIDR_TYPE = opaqueType<IpPrefix>('net.CIDR');

/** Parses a network such as `10.0.0.0/8`. A string result is the error. */
export function readPrefix(text: string): IpPrefix | string {
  const refusal = `netip.ParsePrefix(${goQuote(text)}): `;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return `${refusal}no '/'`;
  const read = readAddress(text.slice(0, slash));
  if (typeof read === 'string') return `${refusal}${read}`;
  if (read.zone !== '') return `${refusal}IPv6 zones cannot be present in a prefix`;
  const bits = text.slice(slash + 1);
  // One character is read as a number is, more must not begin with a sign or a zero.
  if (!/^(?:[0-9]|[1-9][0-9]{1,17})$/.test(bits)) return `${refusal}bad bits after slash: ${goQuote(bits)}`;
  if (Number(bits) > read.address.size * 8) return `${refusal}prefix length out of range`;
  return new IpPrefix(read.address, Number(bits));
}
