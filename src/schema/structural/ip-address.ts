// IP addresses and ranges in formats of custom resources: strict, and tolerating leading zeros, which Kubernetes keeps
// accepting where it once did.

interface Reading {
  /** Whether decimal numbers may have leading zeros. */
  readonly zeros?: boolean;
}

/** Whether a text is an IP address of either family. */
export function isIp(text: string, reading: Reading = {}): boolean {
  return text.includes(':') ? isIpv6(text, reading) : isIpv4(text, reading);
}

/** Whether a text is an IP address and the length of a prefix; both may have leading zeros. */
export function isSloppyCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^\d+$/.test(bits) || !isIp(address, { zeros: true })) return false;
  return Number(bits) <= (address.includes(':') ? 128 : 32);
}

function isIpv4(text: string, { zeros = false }: Reading): boolean {
  const form = zeros ? /^\d+$/ : /^(?:0|[1-9]\d{0,2})$/;
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => form.test(part) && Number(part) <= 255);
}

function isIpv6(text: string, reading: Reading): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':');
    for (const [place, part] of parts.entries()) {
      const isLast = index === halves.length - 1 && place === parts.length - 1;
      if (isLast && part.includes('.') && isIpv4(part, reading)) groups += 2;
      else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups += 1;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}
