import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  annotationKeyFaults,
  byteLength,
  finalizerDomainFaults,
  generateNameFaults,
  label1035Faults,
  labelFaults,
  labelValueFaults,
  nameFaults,
  pathSegmentFaults,
  qualifiedNameFaults,
  subdomainFaults,
} from './names.ts';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

type Rule = (text: string) => readonly string[];

function table(name: string, rule: Rule, cases: readonly (readonly [string, readonly string[]])[]): void {
  test(name, () => {
    for (const [text, faults] of cases) assert.deepEqual(rule(text), faults, JSON.stringify(text));
  });
}

table('subdomains are lower-case labels joined by dots', subdomainFaults, [
  ['a', []],
  ['a-b.c-0', []],
  ['0', []],
  ['x'.repeat(253), []],
  ['x'.repeat(254), ['must be no more than 253 characters']],
  ['X'.repeat(254), ['must be no more than 253 characters', SUBDOMAIN]],
  ['', [SUBDOMAIN]],
  ['Upper', [SUBDOMAIN]],
  ['a_b', [SUBDOMAIN]],
  ['-a', [SUBDOMAIN]],
  ['a-', [SUBDOMAIN]],
  ['a..b', [SUBDOMAIN]],
  ['.a', [SUBDOMAIN]],
  ['a.-b', [SUBDOMAIN]],
  ['a\n', [SUBDOMAIN]],
  ['ä', [SUBDOMAIN]],
]);

table('labels have no dots and at most 63 characters', labelFaults, [
  ['my-name', []],
  ['1', []],
  ['x'.repeat(64), ['must be no more than 63 characters']],
  ['a.b', ['must not contain dots']],
  ['Upper', [LABEL]],
  ['a.', [LABEL]],
]);

table('labels of RFC 1035 begin with a letter', label1035Faults, [
  ['my-name', []],
  ['1st', [LABEL_1035]],
  ['a.b', [LABEL_1035]],
  ['', [LABEL_1035]],
  ['a'.repeat(64), ['must be no more than 63 characters']],
]);

table('path segments have no slash and no percent sign', pathSegmentFaults, [
  ['System:anything Goes_', []],
  ['', []],
  ['.', ["may not be '.'"]],
  ['..', ["may not be '..'"]],
  ['...', []],
  ['a/b', ["may not contain '/'"]],
  ['a%b', ["may not contain '%'"]],
  ['a/%', ["may not contain '/'", "may not contain '%'"]],
]);

table('qualified names may have a subdomain as their prefix', qualifiedNameFaults, [
  ['a', []],
  ['example.com/B_c.d-e', []],
  ['', ['name part must be non-empty', `name part ${QUALIFIED}`]],
  ['a b', [`name part ${QUALIFIED}`]],
  ['_a', [`name part ${QUALIFIED}`]],
  [
    'a/b/c',
    [`a qualified name ${QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ['/a', ['prefix part must be non-empty']],
  ['example.com/', ['name part must be non-empty', `name part ${QUALIFIED}`]],
  ['Ex_ample.com/a', [`prefix part ${SUBDOMAIN}`]],
  [`${'p'.repeat(254)}/k`, ['prefix part must be no more than 253 characters']],
  ['k'.repeat(64), ['name part must be no more than 63 characters']],
]);

table('label values may be empty', labelValueFaults, [
  ['', []],
  ['F_g.h-i', []],
  ['-b', [VALUE]],
  ['b c', [VALUE]],
  ['v'.repeat(64), ['must be no more than 63 characters']],
]);

table('annotation keys are qualified names in any case', annotationKeyFaults, [
  ['EXAMPLE.com/Key', []],
  ['a b', [`name part ${QUALIFIED}`]],
]);

table('finalizers have a domain or are standard', finalizerDomainFaults, [
  ['example.com/a', []],
  ['kubernetes', []],
  ['orphan', []],
  ['foregroundDeletion', []],
  ['plain', ['name is neither a standard finalizer name nor is it fully qualified']],
]);

table('a generated name begins like a name and may end in a dash', (text) => generateNameFaults('subdomain', text), [
  ['web-', []],
  ['web', []],
  ['-', [SUBDOMAIN]],
  ['Run_', [SUBDOMAIN]],
  ['web.-', []],
]);

test('each kind of name has its validation', () => {
  assert.deepEqual(nameFaults('subdomain', 'a.b'), []);
  assert.deepEqual(nameFaults('label', 'a.b'), ['must not contain dots']);
  assert.deepEqual(nameFaults('label1035', '1'), [LABEL_1035]);
  assert.deepEqual(nameFaults('pathSegment', '.'), ["may not be '.'"]);
  assert.deepEqual(generateNameFaults('pathSegment', '.'), []);
});

test('lengths of names are counted in bytes', () => {
  for (const text of ['', 'abc', 'grün', '你好', '🚀', 'a🚀é']) {
    assert.equal(byteLength(text), new TextEncoder().encode(text).length, text);
  }
});

test('validation of a long name takes linear time', () => {
  for (const rule of [subdomainFaults, labelFaults, qualifiedNameFaults, labelValueFaults]) {
    assert.notDeepEqual(rule(`${'a-'.repeat(500_000)}!`), []);
  }
});
