// Check for global unicast IP addresses, the only ones that the server connects to on a caller's behalf: not loopback,
// link-local, multicast or unspecified addresses.

/** The server refused to connect: the address is not global unicast, or unknown. */
export class AddressNotAllowedError extends Error {
  override name = 'AddressNotAllowedError';

  constructor(message = 'address not allowed') {
    super(message);
  }
}

/** Whether a text is a global unicast IP address (RFC 4291, 2.4; includes the private addresses of RFC 1918). */
export function isGlobalUnicast(text: string): boolean {
  const bytes = text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text);
  if (bytes === undefined) return false;
  if (bytes.length === 4) return isGlobalIpv4(bytes);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return isGlobalIpv4(bytes.slice(12));
  const [first = 0, second = 0] = bytes;
  const isLowest = bytes.slice(0, 15).every((byte) => byte === 0) && (bytes[15] ?? 0) <= 1;
  return !isLowest && first !== 0xff && !(first === 0xfe && (second & 0xc0) === 0x80);
}

function isGlobalIpv4(bytes: readonly number[]): boolean {
  const [first = 0, second = 0] = bytes;
  if (bytes.every((byte) => byte === 0) || bytes.every((byte) => byte === 255)) return false;
  return first !== 127 && !(first >= 224 && first <= 239) && !(first === 169 && second === 254);
}

function ipv4Bytes(text: string): number[] | undefined {
  const parts = text.split('.');
  const valid = parts.length === 4 && parts.every((part) => /^[0-9]{1,3}$/.test(part) && Number(part) <= 255);
  return valid ? parts.map(Number) : undefined;
}

function ipv6Bytes(text: string): number[] | undefined {
  const [head = '', tail, more] = text.split('::');
  if (more !== undefined) return undefined;
  const [left, right] = [groupBytes(head), groupBytes(tail ?? '')];
  if (left === undefined || right === undefined) return undefined;
  const missing = 16 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

function groupBytes(text: string): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  for (const group of text.split(':')) {
    const tail = group.includes('.') ? ipv4Bytes(group) : undefined;
    if (tail !== undefined) bytes.push(...tail);
    else if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    else bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
  }
  return bytes;
}
