import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFormat } from './formats.ts';

const FORMATS: Readonly<Record<string, { is: string[]; isNot: string[] }>> = {
  'date-time': {
    is: ['2024-02-29T12:00:00Z', '2024-02-29t12:00:00.5+02:00'],
    isNot: ['2024-02-30T12:00:00Z', '2024-02-29 12:00'],
  },
  date: { is: ['2024-02-29'], isNot: ['2023-02-29', '2024-13-01', '29.02.2024'] },
  duration: { is: ['1h30m', '5 seconds', '2 weeks'], isNot: ['5 parsecs', '1', ''] },
  ipv4: {
    is: ['192.168.0.1', '001.2.3.04', '::ffff:1.2.3.4', '::ffff:01.2.3.4'],
    isNot: ['256.0.0.1', '::1', '1.2.3', '+1.2.3.4', ' 1.2.3.4'],
  },
  ipv6: {
    is: ['2001:db8::1', '::', '::ffff:1.2.3.4'],
    isNot: ['1.2.3.4', '2001::db8::1', '1:2:3', '::ffff:01.2.3.4', 'fe80::1%eth0'],
  },
  cidr: {
    is: ['10.0.0.0/8', '2001:db8::/32', '192.168.000.0/016'],
    isNot: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '::/129'],
  },
  hostname: { is: ['a.example.com', 'a'], isNot: ['a_b.example.com', '-a', ''] },
  uri: { is: ['https://example.com/a?b=c', '/relative', 'mailto:a'], isNot: ['a b', '%zz', ''] },
  mac: {
    is: ['00:00:5e:00:53:01', '0000.5e00.5301', '0123456789aB', '0123456789abcdef', '0'.repeat(40)],
    isNot: [
      '00:00:5e',
      '00:00-5e:00:53:01',
      '0123456789ag',
      '012345-6789ab',
      '0'.repeat(14),
      '0'.repeat(20),
      ' 0123456789ab',
    ],
  },
  uuid: { is: ['0f8fad5b-d9cb-469f-a165-70867728950e'], isNot: ['0f8fad5b', 'g'] },
  uuid3: { is: ['6fa459ea-ee8a-3ca4-894e-db77e160355e'], isNot: ['0f8fad5b-d9cb-469f-a165-70867728950e'] },
  byte: { is: ['aGVsbG8='], isNot: ['', '***', 'aGVsbG8'] },
  email: {
    is: [
      ...['a@example.com', 'A <a@example.com>', '"x y"@z.w', 'x@[1.2.3.4]', 'x@[::1]', '<a@b>', ' a@b ', 'ü@ü'],
      ...['"B \\" x" <a@b>', 'a@b (c (d))', 'g: a@b;', 'B. X. <a@b>', '=?utf-8?q?x?= <a@b>'],
    ],
    isNot: [
      ...['a@', 'nobody', 'a..b@c', '.a@b', 'a@b.', 'a b@c', '""@b', 'a@b,c@d', '@b', 'a\\@b', 'a @b', 'g:;'],
      ...['a@b (c', 'g: a@b, c@d;', '=?foo?q?x?= <a@b>', 'x@[1.2.3.256]', 'x@[1.2.3.4', '(c) a@b', ''],
    ],
  },
  isbn10: { is: ['3-836-22119-5'], isNot: ['3836221194'] },
  isbn13: { is: ['978-3-8362-2119-1'], isNot: ['9783836221190'] },
  creditcard: { is: ['4012 8888 8888 1881'], isNot: ['4012888888881882', '2221000000000009', '6200000000000005'] },
  ssn: { is: ['536-90-4399', '536 90 4399'], isNot: ['53690439', '536904399', '536-904399'] },
  hexcolor: { is: ['#fff', 'A0b1C2'], isNot: ['#ff'] },
  rgbcolor: { is: ['rgb(0, 31,255)'], isNot: ['rgb(1,2,256)'] },
  bsonobjectid: { is: ['507f1f77bcf86cd799439011'], isNot: ['507f'] },
  'k8s-short-name': { is: ['a-b', 'A_b'], isNot: [] },
  'k8s-long-name': { is: ['a.b', 'A_b.'], isNot: [] },
  'i-pv4': { is: ['1.2.3.4'], isNot: ['x'] },
  'date-ti-me': { is: ['2024-02-29T12:00:00Z'], isNot: ['x'] },
  phone: { is: ['whatever'], isNot: [] },
};

for (const [format, { is, isNot }] of Object.entries(FORMATS)) {
  test(`the format ${format} is validated`, () => {
    for (const text of is) assert.equal(hasFormat(text, format), true, text);
    for (const text of isNot) assert.equal(hasFormat(text, format), false, text);
  });
}
