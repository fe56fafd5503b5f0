import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../base/limits.ts';
import { acceptsAny, type NegotiationOffer, negotiate, parseAccept } from './media-type.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const META = { group: 'meta.k8s.io', version: 'v1' };

const OFFER: NegotiationOffer = {
  mediaTypes: [
    { mediaType: JSON_TYPE, streams: true },
    { mediaType: YAML_TYPE },
    { mediaType: PROTOBUF, streams: true },
  ],
  transformations: [
    { ...META, kind: 'Table' },
    { ...META, kind: 'PartialObjectMetadata' },
  ],
};

const CHOICES: [string | undefined, string | undefined][] = [
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['*', JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE],
  ['application/json;q=0.1,application/yaml;q=0.9', YAML_TYPE],
  ['application/json;q=0', JSON_TYPE],
  ['application/yaml,application/json', YAML_TYPE],
  ['application/json,application/yaml', JSON_TYPE],
  ['text/html,*/*;q=0.1', JSON_TYPE],
  ['application/cbor,application/vnd.kubernetes.protobuf,application/json', PROTOBUF],
  ['*/*,application/yaml', YAML_TYPE],
  ['application/cbor;q=1,application/json;q=0.5', JSON_TYPE],
  ['text/html', undefined],
  ['application/json/x, nonsense', undefined],
  ['application/json;stream=watch', JSON_TYPE],
  ['application/json;stream=other', undefined],
  ['application/yaml;stream=watch', undefined],
  ['application/json;as=Table', undefined],
  ['application/json;as=Table;v=v2;g=meta.k8s.io', undefined],
  ['application/json;as=Nothing;v=v1;g=meta.k8s.io,application/json', JSON_TYPE],
];

for (const [accept, mediaType] of CHOICES) {
  test(`Accept: ${accept} chooses ${mediaType}`, () => {
    const found = negotiate(accept, OFFER);
    assert.equal(found?.mediaType, mediaType);
    assert.equal(found?.transformation, undefined);
  });
}

test('a transformation (as=Table) is chosen with its media type', () => {
  const found = negotiate('application/yaml;as=Table;v=v1;g=meta.k8s.io', OFFER);
  assert.deepEqual(found, {
    mediaType: YAML_TYPE,
    streams: false,
    transformation: { ...META, kind: 'Table' },
    pretty: false,
    profile: undefined,
  });
});

test('the profile of a media type is found with it', () => {
  assert.equal(negotiate(`${JSON_TYPE};profile=nopeer`, OFFER)?.profile, 'nopeer');
});

test('the first transformation that the resource supports is chosen', () => {
  const accept =
    'application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
  assert.equal(negotiate(accept, OFFER)?.transformation?.version, 'v1');
  const quality = 'application/json;q=0.5,application/json;as=Table;v=v1;g=meta.k8s.io;q=0.9';
  assert.equal(negotiate(quality, OFFER)?.transformation?.kind, 'Table');
});

test('a media type may be available for transformed responses only', () => {
  const offer = { ...OFFER, mediaTypes: [{ mediaType: JSON_TYPE }, { mediaType: PROTOBUF, untransformed: false }] };
  assert.equal(negotiate(PROTOBUF, offer), undefined);
  assert.equal(negotiate(`${PROTOBUF},${JSON_TYPE}`, offer)?.mediaType, JSON_TYPE);
  assert.equal(negotiate(`${PROTOBUF};as=Table;g=meta.k8s.io;v=v1`, offer)?.mediaType, PROTOBUF);
});

test('pretty can be requested in Accept', () => {
  assert.equal(negotiate('application/json;pretty=1', OFFER)?.pretty, true);
  assert.equal(negotiate('application/json;pretty=true', OFFER)?.pretty, false);
});

test('no media type is chosen if none is available', () => {
  assert.equal(negotiate(undefined, { mediaTypes: [], transformations: [] }), undefined);
});

test('Accept clauses are sorted by preference', () => {
  const order = (header: string) => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
  assert.deepEqual(order('*/*, text/*, text/plain, a/b;q=0.5, c/d;q=0.7'), [
    'text/plain',
    'c/d',
    'a/b',
    'text/*',
    '*/*',
  ]);
  assert.deepEqual(parseAccept('a/b;q=x;n=1;=;m')[0]?.quality, 0);
});

test('the quick check of Accept ignores ranges and parameters', () => {
  const offered = [JSON_TYPE, YAML_TYPE];
  for (const accept of [
    undefined,
    '',
    '*/*',
    'text/html, */*;q=0.1',
    'application/json;as=Bogus',
    'text/plain,application/yaml',
  ]) {
    assert.equal(acceptsAny(accept, offered), true, String(accept));
  }
  for (const accept of ['text/html', 'application/*', 'text/yaml', 'application/JSON', ',']) {
    assert.ok(!acceptsAny(accept, offered), accept);
  }
});

test('an Accept header with many types is parsed in linear time', () => {
  const clauses = parseAccept(`${'*,'.repeat(1_000_000)}${'a/b,'.repeat(1_000_000)}`);
  assert.equal(clauses.length, limits.acceptClauses);
});

test('only a limited number of parameters of a media type is read', () => {
  const many = Array.from({ length: limits.mediaTypeParameters }, (_, index) => `;p${index}=x`).join('');
  assert.equal(parseAccept(`application/json${many};q=0.5`)[0]?.quality, 1);
  assert.equal(parseAccept(`application/json;q=0.5${many}`)[0]?.quality, 0.5);
});
