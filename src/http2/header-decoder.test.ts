import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { continued } from '../../test/http2-client.ts';
import { HeaderDecoder } from './header-decoder.ts';
import { ConnectionError, ERROR } from './protocol.ts';

const limits = { bytes: 10_000, fields: 50 };

function read(decoder: HeaderDecoder, hex: string): string {
  const { fields } = decoder.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  return fields.map(({ name, value }) => `${name}=${value}`).join(' ');
}

function literal(first: number, name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([first]), text(name), text(value)]);
}

function text(value: string): Buffer {
  const length = value.length < 127 ? [value.length] : [127, ...continued(value.length - 127)];
  return Buffer.concat([Buffer.from(length), Buffer.from(value, 'latin1')]);
}

/** A table size update. */
function size(bytes: number): Buffer {
  return Buffer.from(bytes < 31 ? [0x20 | bytes] : [0x3f, ...continued(bytes - 31)]);
}

const fails = (code: number) => (error: unknown) => error instanceof ConnectionError && error.code === code;

const first = ':method=GET :scheme=http :path=/ :authority=www.example.com';
const second = `${first} cache-control=no-cache`;
const third = ':method=GET :scheme=https :path=/index.html :authority=www.example.com custom-key=custom-value';

test('the request examples of RFC 7541 without Huffman code are decoded (C.3)', () => {
  const decoder = new HeaderDecoder(limits);
  assert.equal(read(decoder, '828684410f7777772e6578616d706c652e636f6d'), first);
  assert.equal(read(decoder, '828684be58086e6f2d6361636865'), second);
  assert.equal(read(decoder, '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565'), third);
});

test('the request examples of RFC 7541 with Huffman code are decoded (C.4)', () => {
  const decoder = new HeaderDecoder(limits);
  assert.equal(read(decoder, '828684418cf1e3c2e5f23a6ba0ab90f4ff'), first);
  assert.equal(read(decoder, '828684be5886a8eb10649cbf'), second);
  assert.equal(read(decoder, '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf'), third);
});

test('the response examples of RFC 7541 are decoded with evictions (C.6)', () => {
  const decoder = new HeaderDecoder(limits);
  const date = (second: number) => `date=Mon, 21 Oct 2013 20:13:${second} GMT`;
  const shared = `cache-control=private ${date(21)} location=https://www.example.com`;
  decoder.decode(size(256));
  assert.equal(
    read(
      decoder,
      `488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff
       6e919d29ad171863c78f0b97c8e9ae82ae43d3`.replace(/\s/g, ''),
    ),
    `:status=302 ${shared}`,
  );
  assert.equal(read(decoder, '4883640effc1c0bf'), `:status=307 ${shared}`);
  assert.equal(
    read(
      decoder,
      `88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab
       77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007`.replace(
        /\s/g,
        '',
      ),
    ),
    `:status=200 cache-control=private ${date(22)} location=https://www.example.com content-encoding=gzip ` +
      'set-cookie=foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  );
  assert.throws(() => read(decoder, 'c1'), fails(ERROR.compression), 'three fields are left');
});

test('HPACK fields without indexing, and never indexed ones, leave the dynamic table unchanged', () => {
  const decoder = new HeaderDecoder(limits);
  assert.equal(read(decoder, '040c2f73616d706c652f70617468'), ':path=/sample/path');
  assert.equal(read(decoder, '100870617373776f726406736563726574'), 'password=secret');
  assert.throws(() => read(decoder, 'be'), fails(ERROR.compression));
});

test('the HPACK table size changes at the beginning of a block only, any number of times', () => {
  const decoder = new HeaderDecoder(limits);
  decoder.decode(literal(0x40, 'a', '1'));
  decoder.decode(Buffer.concat([size(0), size(4096)]));
  assert.throws(() => read(decoder, 'be'), fails(ERROR.compression), 'all was evicted');
  const fresh = new HeaderDecoder(limits);
  assert.throws(() => fresh.decode(Buffer.concat([Buffer.from([0x82]), size(0)])), fails(ERROR.compression));
});

test('the HPACK table never exceeds the size that was offered', () => {
  assert.throws(() => new HeaderDecoder(limits).decode(size(4097)), fails(ERROR.compression));
  new HeaderDecoder(limits).decode(size(4096));
});

test('an HPACK field larger than the table empties it', () => {
  const decoder = new HeaderDecoder(limits);
  decoder.decode(literal(0x40, 'a', '1'));
  const { fields } = decoder.decode(literal(0x40, 'b', 'x'.repeat(5000)));
  assert.equal(fields[0]?.value.length, 5000);
  assert.throws(() => read(decoder, 'be'), fails(ERROR.compression));
  decoder.decode(literal(0x40, 'c', '3'));
  assert.equal(read(decoder, 'be'), 'c=3');
});

test('invalid HPACK blocks are rejected', () => {
  const wrong: Record<string, string> = {
    '80': 'the index 0',
    be: 'an index past both tables',
    ff80808001: 'an index far away',
    ffffffffffff7f: 'an endless index',
    ff: 'an index without its end',
    '7f': 'an index of a name without its end',
    '40': 'no name',
    '4001': 'a name without characters',
    '400161': 'no value',
    '40016102': 'a value without characters',
    '4001610231': 'half a value',
    '417f': 'a length without its end',
    '7e0131': 'the name of a field that no table has',
    '408100': 'a name in no Huffman code',
    '4182ffff': 'a value in no Huffman code',
    '3fe21f': 'a table that is too large',
    '3f': 'a table size without its end',
    '8220': 'a table size after a field',
  };
  for (const [hex, what] of Object.entries(wrong)) {
    assert.throws(() => read(new HeaderDecoder(limits), hex), fails(ERROR.compression), what);
  }
});

test('an HPACK block beyond a limit is read to its end, so that the next one can be decoded', () => {
  const remembered = literal(0x40, 'a', '1');
  for (const large of [
    Buffer.concat(Array.from({ length: 51 }, () => Buffer.from([0x82]))),
    literal(0x00, 'b', 'x'.repeat(9_968)),
  ]) {
    const decoder = new HeaderDecoder(limits);
    const { tooLarge, fields } = decoder.decode(Buffer.concat([large, remembered]));
    assert.equal(tooLarge, true);
    assert.ok(fields.length <= 50);
    assert.equal(read(decoder, 'be'), 'a=1');
  }
});

test('an HPACK block exactly at the limit is accepted', () => {
  assert.equal(new HeaderDecoder(limits).decode(Buffer.alloc(50, 0x82)).tooLarge, false);
  assert.equal(new HeaderDecoder(limits).decode(literal(0, 'b', 'x'.repeat(9_967))).tooLarge, false);
});

test('HPACK fields with invalid characters are marked, and do not end the connection', () => {
  const names = ['', 'A', 'a b', 'a\0', 'a:', '::', 'a\x7f', 'ä'];
  const values = ['\0', 'a\rb', 'a\nb', '\x7f', 'a\x01'];
  const valid = (name: string, value: string) =>
    new HeaderDecoder(limits).decode(literal(0, name, value)).fields[0]?.valid;
  for (const name of names) assert.equal(valid(name, 'x'), false, JSON.stringify(name));
  for (const value of values) assert.equal(valid('x', value), false, JSON.stringify(value));
  for (const name of ['a', ':a', 'x-1_~']) assert.equal(valid(name, 'x'), true, name);
  for (const value of ['', 'a', 'a b\tc', 'é', '!', ' a', 'a ', '\ta', 'a\t', ' '])
    assert.equal(valid('x', value), true, value);
});

test('a marked HPACK field is marked whenever it comes from the table', () => {
  const decoder = new HeaderDecoder(limits);
  decoder.decode(literal(0x40, 'A', 'x'));
  const { fields } = decoder.decode(Buffer.concat([Buffer.from([0xbe]), Buffer.from([0x7e]), text('y')]));
  assert.deepEqual(
    fields.map(({ valid }) => valid),
    [false, false],
  );
});
