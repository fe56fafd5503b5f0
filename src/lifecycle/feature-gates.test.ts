import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureGateTable } from './feature-gate-table.ts';
import { FeatureGateError, FeatureGates, parseBool, parseFeatureGates } from './feature-gates.ts';

test('gates have their defaults when nothing is set', () => {
  const gates = new FeatureGates();
  assert.equal(gates.enabled('WatchList'), true);
  assert.equal(gates.enabled('CBORServingAndStorage'), false);
  assert.equal(gates.enabled('MutatingAdmissionPolicy'), false);
  assert.equal(gates.enabled('ConsistentListFromCache'), true);
  for (const { name, enabled } of gates.all()) {
    assert.equal(enabled, featureGateTable[name as keyof typeof featureGateTable].default, name);
  }
});

test('the flag is a list of settings, with or without the component', () => {
  assert.deepEqual(parseFeatureGates(' WatchList=false, kube:AllAlpha = T ,,CBORServingAndStorage=0'), {
    WatchList: false,
    AllAlpha: true,
    CBORServingAndStorage: false,
  });
  assert.deepEqual(parseFeatureGates(''), {});
});

test('a bad setting is refused in the words of kube-apiserver', () => {
  const cases: [text: string, message: string][] = [
    ['Foo=true', 'unrecognized feature gate: Foo'],
    ['toString=true', 'unrecognized feature gate: toString'],
    ['WatchList', 'missing bool value for WatchList'],
    ['WatchList=yes', 'invalid value of WatchList=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    [
      'ConsistentListFromCache=false',
      'cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
    ],
    [
      'WatchFromStorageWithoutResourceVersion=true',
      'cannot set feature gate WatchFromStorageWithoutResourceVersion to true, feature is locked to false',
    ],
    ['other:WatchList=true', 'component not registered: other'],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseFeatureGates(text), new FeatureGateError(message), text);
  }
  assert.throws(() => new FeatureGates({ Foo: true }), new FeatureGateError('unrecognized feature gate: Foo'));
});

test('a locked gate may be set to what it is, a GA gate that is not locked to anything', () => {
  assert.deepEqual(parseFeatureGates('ConsistentListFromCache=true'), { ConsistentListFromCache: true });
  assert.equal(new FeatureGates({ DynamicResourceAllocation: false }).enabled('DynamicResourceAllocation'), false);
});

test('AllAlpha and AllBeta switch their stage, and a gate of its own setting wins', () => {
  const gates = new FeatureGates({ CBORServingAndStorage: false, AllAlpha: true, AllBeta: false, WatchList: true });
  assert.equal(gates.enabled('StorageVersionAPI'), true);
  assert.equal(gates.enabled('CBORServingAndStorage'), false);
  assert.equal(gates.enabled('APIServerIdentity'), false);
  assert.equal(gates.enabled('WatchList'), true);
  assert.equal(gates.enabled('AllAlpha'), true);
  assert.equal(gates.enabled('AllBeta'), false);
  assert.equal(gates.enabled('ConsistentListFromCache'), true, 'GA gates are of neither stage');
});

test('truth values are those of Kubernetes flags', () => {
  for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True']) assert.equal(parseBool(text), true, text);
  for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False']) assert.equal(parseBool(text), false, text);
  for (const text of ['', 'yes', 'tRUE', ' true', '2']) assert.equal(parseBool(text), undefined, text);
});
