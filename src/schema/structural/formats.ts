// String formats of custom resources, as predicates. They are those of Kubernetes' format registry, including its
// leniency.

import { lookup } from '../../base/lookup.ts';
import { urlFault } from '../../cel/library/url.ts';
import { formatDurationNanoseconds } from './format-duration.ts';
import { isIp, isSloppyCidr } from './ip-address.ts';
import { isMailAddress } from './mail-address.ts';

const HEX = '[0-9a-fA-F]';
const UUID = new RegExp(`^${HEX}{8}-?${HEX}{4}-?${HEX}{4}-?${HEX}{4}-?${HEX}{12}$`);
const UUID3 = new RegExp(`^${HEX}{8}-?${HEX}{4}-?3${HEX}{3}-?${HEX}{4}-?${HEX}{12}$`);
const UUID4 = new RegExp(`^${HEX}{8}-?${HEX}{4}-?4${HEX}{3}-?[89abAB]${HEX}{3}-?${HEX}{12}$`);
const UUID5 = new RegExp(`^${HEX}{8}-?${HEX}{4}-?5${HEX}{3}-?[89abAB]${HEX}{3}-?${HEX}{12}$`);
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;
const HOST_END = 'a-zA-Z0-9\\p{S}\\p{L}';
const HOSTNAME = new RegExp(
  `^(?:[${HOST_END}](?:-?[${HOST_END}]{0,62})?|(?:[${HOST_END}](?:[${HOST_END}-]{0,61}[${HOST_END}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  'u',
);
const MAC = /^(?:(?:[0-9a-fA-F]{2}:)+|(?:[0-9a-fA-F]{2}-)+)[0-9a-fA-F]{2}$/;
const DOTTED_MAC = /^(?:[0-9a-fA-F]{4}\.)+[0-9a-fA-F]{4}$/;
const BARE_MAC = /^[0-9a-fA-F]+$/;
const MAC_BYTES: readonly number[] = [6, 8, 20];
const SSN = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;
const HEX_COLOR = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const BYTE_VALUE = '\\s*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*';
const RGB_COLOR = new RegExp(`^rgb\\(${BYTE_VALUE},${BYTE_VALUE},${BYTE_VALUE}\\)$`);
const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = lookup({
  bsonobjectid: (text: string) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: (text: string) => urlFault(text) === undefined,
  email: isMailAddress,
  hostname: isHostname,
  ipv4: (text: string) => text.includes('.') && isIp(text, { zeros: true }),
  ipv6: (text: string) => text.includes(':') && isIp(text),
  cidr: isSloppyCidr,
  mac: isMac,
  uuid: (text: string) => UUID.test(text),
  uuid3: (text: string) => UUID3.test(text),
  uuid4: (text: string) => UUID4.test(text),
  uuid5: (text: string) => UUID5.test(text),
  isbn: (text: string) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text: string) => text.length === 11 && SSN.test(text),
  hexcolor: (text: string) => HEX_COLOR.test(text),
  rgbcolor: (text: string) => RGB_COLOR.test(text),
  byte: (text: string) => BASE64.test(text),
  password: () => true,
  date: isDate,
  duration: (text: string) => formatDurationNanoseconds(text) !== undefined,
  datetime: isDateTime,
});

/**
 * Whether a format restricts strings; others are only published. Dashes in names of formats have no meaning.
 * `k8s-short-name` and `k8s-long-name` are unknown, because Kubernetes 1.34 looks them up without their dashes.
 */
export function isKnownFormat(format: string): boolean {
  return CHECKS[nameOf(format)] !== undefined;
}

/** Whether a text is valid for a format; any text is valid for an unknown format. */
export function hasFormat(text: string, format: string): boolean {
  return CHECKS[nameOf(format)]?.(text) ?? true;
}

function nameOf(format: string): string {
  return format.includes('-') ? format.replaceAll('-', '') : format;
}

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const last = new Date(Date.UTC(2000, month, 0)).getUTCDate();
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 && !isLeap ? 28 : last);
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const match = time === undefined || !isDate(date) ? null : TIME.exec(time);
  if (match === null) return false;
  return (match[1] as string) <= '23' && (match[2] as string) <= '59' && (match[3] as string) <= '59';
}

function isHostname(text: string): boolean {
  if (text.length > 255 || !HOSTNAME.test(text)) return false;
  return text.split('.').every((label) => label.length <= 63);
}

function isMac(text: string): boolean {
  if (!MAC.test(text) && !DOTTED_MAC.test(text) && !BARE_MAC.test(text)) return false;
  return MAC_BYTES.includes(text.replace(/[^0-9a-fA-F]/g, '').length / 2);
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) sum += (10 - index) * (digits[index] === 'X' ? 10 : Number(digits[index]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 13; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
