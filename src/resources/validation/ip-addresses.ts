// Parsing and validation of IP addresses and CIDRs, and warnings for forms that a later Kubernetes will reject. Parsing
// is as lenient as Kubernetes' (leading zeros in IPv4 are decimal).

import { type FieldError, fieldError } from '../../api/errors.ts';

export type IpFamily = 'IPv4' | 'IPv6';

export interface IpAddress {
  readonly family: IpFamily;
  /** The address as a number of 32 or 128 bits. */
  readonly value: bigint;
  /** Written in a legacy form: leading zeros, or IPv4-mapped IPv6. */
  readonly legacy: boolean;
}

export interface Cidr {
  readonly family: IpFamily;
  /** The first address of the block. */
  readonly base: bigint;
  /** The address as written, which may be inside the block. */
  readonly address: IpAddress;
  readonly prefixBits: number;
}

const INVALID_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const INVALID_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
/** ::ffff:0:0/96, IPv4-mapped addresses. */
const MAPPED = 0xffffn << 32n;

export function bitsOf(family: IpFamily): number {
  return family === 'IPv4' ? 32 : 128;
}

/** Parses an address; undefined if invalid. */
export function parseIp(text: string): IpAddress | undefined {
  if (!text.includes(':')) return parseIpv4(text);
  const value = parseIpv6(text);
  if (value === undefined) return undefined;
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  if (value >> 32n === 0xffffn) return { family: 'IPv4', value: value - MAPPED, legacy: true };
  return { family: 'IPv6', value, legacy: false };
}

function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0;
  let legacy = false;
  for (const part of parts) {
    if (!/^[0-9]+$/.test(part) || Number(part) > 255) return undefined;
    if (part.length > 1 && part.startsWith('0')) legacy = true;
    value = value * 256 + Number(part);
  }
  return { family: 'IPv4', value: BigInt(value), legacy };
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const left = groupsOf(head);
  const right = tail === undefined ? [] : groupsOf(tail);
  if (left === undefined || right === undefined) return undefined;
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...left, ...new Array<number>(missing).fill(0), ...right];
  return groups.reduce((value, group) => value * 65536n + BigInt(group), 0n);
}

/** The 16-bit groups on one side of an IPv6 address, which may end in IPv4 notation. */
function groupsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) as string;
  const groups: number[] = [];
  for (const part of last.includes('.') ? parts.slice(0, -1) : parts) {
    if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined;
    groups.push(Number.parseInt(part, 16));
  }
  if (!last.includes('.')) return groups;
  const embedded = parseIpv4(last);
  if (embedded === undefined || embedded.legacy) return undefined;
  return [...groups, Number(embedded.value >> 16n), Number(embedded.value & 0xffffn)];
}

/** The canonical form of an address: RFC 5952 for IPv6. */
export function formatIp({ family, value }: Pick<IpAddress, 'family' | 'value'>): string {
  if (family === 'IPv4') {
    const bits = Number(value);
    return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  const zeros = longestZeros(groups);
  if (zeros.length < 2) return groups.join(':');
  return `${groups.slice(0, zeros.at).join(':')}::${groups.slice(zeros.at + zeros.length).join(':')}`;
}

function longestZeros(groups: readonly string[]): { at: number; length: number } {
  let longest = { at: 0, length: 0 };
  for (let at = 0; at < groups.length; at++) {
    let end = at;
    while (groups[end] === '0') end++;
    if (end - at > longest.length) longest = { at, length: end - at };
  }
  return longest;
}

/** Parses a block; undefined if invalid. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const prefix = text.slice(slash + 1);
  if (address === undefined || !/^[0-9]{1,3}$/.test(prefix)) return undefined;
  const { family } = address;
  const bits = bitsOf(family);
  const mapped = family === 'IPv4' && text.includes(':');
  const prefixBits = Number(prefix) - (mapped ? 96 : 0);
  if (prefixBits < 0 || prefixBits > bits) return undefined;
  const host = BigInt(bits - prefixBits);
  return { family, base: (address.value >> host) << host, address, prefixBits };
}

export function formatCidr({ family, base, prefixBits }: Pick<Cidr, 'family' | 'base' | 'prefixBits'>): string {
  return `${formatIp({ family, value: base })}/${prefixBits}`;
}

export function cidrContains(block: Cidr, address: Pick<IpAddress, 'family' | 'value'>): boolean {
  const host = BigInt(bitsOf(block.family) - block.prefixBits);
  return block.family === address.family && address.value >> host === block.base >> host;
}

function validateIp(text: string, field: string): FieldError[] {
  return parseIp(text) === undefined ? [fieldError.invalid(field, text, INVALID_IP)] : [];
}

function validateCidr(text: string, field: string): FieldError[] {
  return parseCidr(text) === undefined ? [fieldError.invalid(field, text, INVALID_CIDR)] : [];
}

/** Rejects the forms that programs read differently: leading zeros, and IPv4 addresses in IPv6 ones. */
function validateIpForm(text: string, field: string): FieldError[] {
  const address = parseIp(text);
  if (address === undefined) return [fieldError.invalid(field, text, INVALID_IP)];
  if (!address.legacy) return [];
  const why = text.includes(':') ? 'must not be an IPv4-mapped IPv6 address' : 'must not have leading 0s';
  return [fieldError.invalid(field, text, why)];
}

/** The same of a block, whose address must be its first one, too. */
function validateCidrForm(text: string, field: string): FieldError[] {
  const block = parseCidr(text);
  if (block === undefined) return [fieldError.invalid(field, text, INVALID_CIDR)];
  const refuse = (why: string) => [fieldError.invalid(field, text, why)];
  const isMapped = block.address.legacy && text.includes(':');
  if (/\/0\d/.test(text) || (block.address.legacy && !isMapped)) {
    return refuse('must not have leading 0s in IP or prefix length');
  }
  if (isMapped) return refuse('must not have an IPv4-mapped IPv6 address');
  return block.address.value === block.base ? [] : refuse('must not have bits set beyond the prefix length');
}

export interface LegacyAddresses {
  readonly ip: (text: string, field: string) => FieldError[];
  readonly cidr: (text: string, field: string) => FieldError[];
}

/**
 * Validation of addresses in fields that have accepted any form of them: those that the gate StrictIPCIDRValidation rejects
 * may only stay.
 *
 * @param known the addresses in the object that is updated
 */
export function legacyAddresses(
  { gateEnabled }: { readonly gateEnabled?: (gate: string) => boolean },
  known: readonly (string | undefined)[] = [],
): LegacyAddresses {
  const isStrict = gateEnabled?.('StrictIPCIDRValidation') === true;
  const before = new Set(known);
  const [ip, cidr] = isStrict ? [validateIpForm, validateCidrForm] : [validateIp, validateCidr];
  return {
    ip: (text, field) => (before.has(text) ? [] : ip(text, field)),
    cidr: (text, field) => (before.has(text) ? [] : cidr(text, field)),
  };
}

/** Newer kinds accept only the canonical form. */
export function validateStrictIp(text: string, field: string): FieldError[] {
  const found = validateIpForm(text, field);
  const address = parseIp(text);
  if (found.length > 0 || address === undefined) return found;
  const canonical = formatIp(address);
  return text === canonical ? [] : [fieldError.invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

/** The same of blocks. */
export function validateStrictCidr(text: string, field: string): FieldError[] {
  const found = validateCidrForm(text, field);
  const block = parseCidr(text);
  if (found.length > 0 || block === undefined) return found;
  const canonical = formatCidr(block);
  return text === canonical ? [] : [fieldError.invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

/** An interface address with its prefix length: `192.168.1.5/24`. */
export function validateInterfaceAddress(text: string, field: string): FieldError[] {
  const block = parseCidr(text);
  if (block === undefined) {
    const why = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';
    return [fieldError.invalid(field, text, why)];
  }
  const canonical = `${formatIp(block.address)}/${block.prefixBits}`;
  return text === canonical ? [] : [fieldError.invalid(field, text, `must be in canonical form ("${canonical}")`)];
}

const SPECIAL: readonly (readonly [why: string, ...blocks: string[]])[] = [
  ['may not be in the loopback range (127.0.0.0/8, ::1/128)', '127.0.0.0/8', '::1/128'],
  ['may not be in the link-local range (169.254.0.0/16, fe80::/10)', '169.254.0.0/16', 'fe80::/10'],
  ['may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)', '224.0.0.0/24', 'ff02::/16'],
];
const SPECIAL_BLOCKS = SPECIAL.map(([why, ...blocks]) => ({
  why,
  blocks: blocks.map((each) => parseCidr(each) as Cidr),
}));

/** Addresses with a local meaning are invalid as endpoints. */
export function validateEndpointIp(text: string, field: string): FieldError[] {
  const address = parseIp(text);
  if (address === undefined) return [fieldError.invalid(field, text, 'must be a valid IP address')];
  const found: FieldError[] = [];
  if (address.value === 0n) found.push(fieldError.invalid(field, text, `may not be unspecified (${text})`));
  for (const { why, blocks } of SPECIAL_BLOCKS) {
    if (blocks.some((block) => cidrContains(block, address))) found.push(fieldError.invalid(field, text, why));
  }
  return found;
}

/** Warnings for an accepted address. */
export function ipWarnings(text: string, field: string): string[] {
  const address = parseIp(text);
  if (address === undefined) return [];
  const canonical = formatIp(address);
  if (address.legacy) {
    return [
      `${field}: non-standard IP address ${JSON.stringify(text)} will be considered invalid in a future Kubernetes release: use "${canonical}"`,
    ];
  }
  if (text === canonical) return [];
  return [`${field}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format ("${canonical}")`];
}

/** Warnings for an accepted block. */
export function cidrWarnings(text: string, field: string): string[] {
  const block = parseCidr(text);
  if (block === undefined) return [];
  const quoted = JSON.stringify(text);
  const canonical = formatCidr(block);
  if (block.address.value !== block.base) {
    const single = formatCidr({ ...block, base: block.address.value, prefixBits: bitsOf(block.family) });
    return [`${field}: CIDR value ${quoted} is ambiguous in this context (should be "${canonical}" or "${single}"?)`];
  }
  if (text === canonical) return [];
  if (block.family === 'IPv4' || /(^|\/)0[0-9]/.test(text)) {
    return [
      `${field}: non-standard CIDR value ${quoted} will be considered invalid in a future Kubernetes release: use "${canonical}"`,
    ];
  }
  return [`${field}: IPv6 CIDR value ${quoted} should be in RFC 5952 canonical format ("${canonical}")`];
}
