import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeatureGateSpec } from './feature-gate.ts';
import { FeatureGateError, FeatureGates, gatesIn, parseBool, parseFeatureGates } from './feature-gates.ts';
import { emulationOf, RELEASES } from './version.ts';

test('feature gates have their defaults when nothing is set', () => {
  const gates = new FeatureGates();
  assert.equal(gates.enabled('WatchList'), true);
  assert.equal(gates.enabled('CBORServingAndStorage'), false);
  assert.equal(gates.enabled('MutatingAdmissionPolicy'), false);
  assert.equal(gates.enabled('ConsistentListFromCache'), true);
  const known = new Map<string, readonly FeatureGateSpec[]>(gatesIn(34));
  for (const { name, enabled } of gates.all()) {
    assert.equal(enabled, known.get(name)?.at(-1)?.default, name);
  }
});

test('--feature-gates is a list of settings, with or without the component', () => {
  assert.deepEqual(parseFeatureGates(' WatchList=false, AllAlpha = T ,,CBORServingAndStorage=0'), {
    WatchList: false,
    AllAlpha: true,
    CBORServingAndStorage: false,
  });
  const on = { WatchList: true };
  for (const text of ['', ' , ', ':', 'kube:']) assert.deepEqual(parseFeatureGates(text), {}, text);
  for (const text of [':WatchList=true', 'kube: WatchList = 1', 'WatchList=false,:WatchList=true']) {
    assert.deepEqual(parseFeatureGates(text), on, text);
  }
  assert.throws(() => new FeatureGates(parseFeatureGates('__proto__=true')), FeatureGateError);
});

test('an invalid --feature-gates is rejected in the words of kube-apiserver', () => {
  const cases: [text: string, message: string][] = [
    ['WatchList', 'missing bool value for WatchList'],
    ['WatchList=yes', 'invalid value of WatchList=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    [
      'WatchList=a\tb',
      String.raw`invalid value of WatchList=a	b, err: strconv.ParseBool: parsing "a\tb": invalid syntax`,
    ],
    ['other:WatchList', 'component not registered: other'],
    ['a:b:c=true', 'component not registered: a'],
    [
      'kube:WatchList=true,other:x,:APIServerIdentity=true',
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    ],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseFeatureGates(text), new FeatureGateError(message), text);
  }
});

test('a feature gate that does not exist, does not exist yet or is locked is rejected in the words of kube-apiserver', () => {
  const cases: [name: string, enabled: boolean, minor: number, message: string][] = [
    ['Foo', true, 34, 'unrecognized feature gate: Foo'],
    ['toString', true, 34, 'unrecognized feature gate: toString'],
    [
      'ConsistentListFromCache',
      false,
      34,
      'cannot set feature gate ConsistentListFromCache to false, feature is locked to true',
    ],
    [
      'WatchFromStorageWithoutResourceVersion',
      true,
      34,
      'cannot set feature gate WatchFromStorageWithoutResourceVersion to true, feature is locked to false',
    ],
    [
      'PodCertificateRequest',
      false,
      33,
      'cannot set feature gate PodCertificateRequest to false, feature is PreAlpha at emulated version 1.33',
    ],
  ];
  for (const [name, enabled, minor, message] of cases) {
    assert.throws(
      () => new FeatureGates({ [name]: enabled }, emulationOf(minor)),
      new FeatureGateError(message),
      message,
    );
  }
});

test('all invalid feature gates are reported, up to the first unknown one', () => {
  const settings = { SidecarContainers: false, EnvFiles: true, WatchList: true, Foo: true, Bar: true };
  const message =
    '[cannot set feature gate SidecarContainers to false, feature is locked to true, ' +
    'cannot set feature gate EnvFiles to true, feature is PreAlpha at emulated version 1.33, unrecognized feature gate: Foo]';
  assert.throws(() => new FeatureGates(settings, emulationOf(33)), new FeatureGateError(message));
});

test('a feature gate without another one that it needs is reported', () => {
  const binding =
    'the "ServiceAccountTokenNodeBinding" feature gate can only be enabled if the "ServiceAccountTokenNodeBindingValidation" feature gate is also enabled';
  const selectors = 'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled';
  const cases: [settings: Record<string, boolean>, minor: number, problems: string[]][] = [
    [{}, 34, []],
    [{ AuthorizeWithSelectors: false }, 33, [selectors]],
    [{ AllBeta: false, AuthorizeNodeWithSelectors: true }, 33, [selectors]],
    [{ AllBeta: false }, 33, []],
    [{ AuthorizeNodeWithSelectors: true, AuthorizeWithSelectors: true }, 31, []],
  ];
  for (const [settings, minor, problems] of cases) {
    assert.deepEqual(new FeatureGates(settings, emulationOf(minor)).problems(), problems, JSON.stringify(settings));
  }
  const unbound = new FeatureGates({ ServiceAccountTokenNodeBindingValidation: false }, emulationOf(31));
  assert.deepEqual([unbound.problems(), unbound.tokenBindingProblems()], [[], [binding]]);
});

test('stages and defaults of feature gates are those of the emulated version', () => {
  const at = (minor: number) => {
    const gates = new FeatureGates({}, emulationOf(minor));
    const { stage } = [...gates.all()].find(({ name }) => name === 'WatchList') ?? {};
    return [stage, gates.enabled('WatchList')];
  };
  assert.deepEqual([34, 33, 32, 31].map(at), [
    ['BETA', true],
    ['BETA', false],
    ['BETA', true],
    ['ALPHA', false],
  ]);
  const names = [...new FeatureGates({}, emulationOf(33)).all()].map(({ name }) => name);
  assert.ok(!names.includes('PodCertificateRequest'), 'a gate that does not exist yet is not listed');
});

test('setting a GA, deprecated or alpha feature gate causes a warning', () => {
  const settings = { ConsistentListFromCache: true, WindowsHostNetwork: true, CBORServingAndStorage: true };
  assert.deepEqual(new FeatureGates(settings).warnings(), [
    'Setting GA feature gate ConsistentListFromCache=true. It will be removed in a future release.',
    'Setting deprecated feature gate WindowsHostNetwork=true. It will be removed in a future release.',
    'component has alpha features enabled in emulated version, this is unsupported: features=[CBORServingAndStorage]',
  ]);
  assert.deepEqual(new FeatureGates().warnings(), []);
});

test('a locked feature gate may be set to its value, and a GA gate that is not locked to any', () => {
  assert.deepEqual(parseFeatureGates('ConsistentListFromCache=true'), { ConsistentListFromCache: true });
  assert.equal(new FeatureGates({ DynamicResourceAllocation: false }).enabled('DynamicResourceAllocation'), false);
});

test('AllAlpha and AllBeta switch the feature gates of their stage, except those that are set themselves', () => {
  const gates = new FeatureGates({ CBORServingAndStorage: false, AllAlpha: true, AllBeta: false, WatchList: true });
  assert.equal(gates.enabled('StorageVersionAPI'), true);
  assert.equal(gates.enabled('CBORServingAndStorage'), false);
  assert.equal(gates.enabled('APIServerIdentity'), false);
  assert.equal(gates.enabled('WatchList'), true);
  assert.equal(gates.enabled('AllAlpha'), true);
  assert.equal(gates.enabled('AllBeta'), false);
  assert.equal(gates.enabled('ConsistentListFromCache'), true, 'GA gates are of neither stage');
});

test('values of feature gates are booleans as in Kubernetes', () => {
  for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True']) assert.equal(parseBool(text), true, text);
  for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False']) assert.equal(parseBool(text), false, text);
  for (const text of ['', 'yes', 'tRUE', ' true', '2']) assert.equal(parseBool(text), undefined, text);
});

/** The gates of a release itself. */
function gatesOf(minor: number, settings: Record<string, boolean> = {}): FeatureGates {
  return new FeatureGates(
    settings,
    emulationOf(
      minor,
      RELEASES.find((release) => release.minor === minor),
    ),
  );
}

test('each release has its own feature gates', () => {
  assert.throws(
    () => gatesOf(36, { HPAGeneration: true }),
    new FeatureGateError('unrecognized feature gate: HPAGeneration'),
  );
  assert.equal(gatesOf(37).enabled('HPAGeneration'), true);
  assert.equal(gatesOf(34).enabled('HPAGeneration'), false);
  const counts = [29, 31, 34, 37].map((minor) => [...gatesOf(minor).all()].length);
  assert.deepEqual(counts, [162, 167, 208, 254]);
});

test('a feature gate may be known before the release that later ones date it to', () => {
  const known = (minor: number) => [...gatesOf(minor).all()].find(({ name }) => name === 'MutatingAdmissionPolicy');
  assert.equal(known(29), undefined);
  assert.deepEqual([known(30)?.stage, known(30)?.enabled], ['ALPHA', false]);
});

test('a feature stays on in releases that no longer have its gate', () => {
  assert.throws(() => gatesOf(37, { APIListChunking: true }), FeatureGateError);
  assert.equal(gatesOf(37).enabled('APIListChunking'), true);
});

test('from 1.35 on a feature gate cannot be enabled without those that it needs', () => {
  const settings = { ClusterTrustBundle: false, ClusterTrustBundleProjection: true };
  const message =
    'ClusterTrustBundleProjection is enabled, but depends on features that are disabled: [ClusterTrustBundle]';
  assert.throws(
    () => gatesOf(35, settings),
    (error: Error) => error.message.includes(message),
  );
  assert.doesNotThrow(() => gatesOf(34, settings));
});

test('a stage of a feature gate may depend on the minimum compatibility version', () => {
  const emulation = emulationOf(37, RELEASES.at(-1));
  assert.equal(new FeatureGates({}, emulation).enabled('DRAFractionalCapacityRange'), false);
  const raised = { ...emulation, minCompatibilityMinor: 37 };
  assert.equal(new FeatureGates({}, raised).enabled('DRAFractionalCapacityRange'), true);
});
