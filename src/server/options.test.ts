import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  defaultServerOptions,
  InvalidOptionsError,
  optionProblems,
  type ServerOptions,
  serverOptions,
} from './options.ts';

test('the default options are valid, and given options replace them', () => {
  assert.deepEqual(optionProblems(defaultServerOptions), []);
  assert.deepEqual(serverOptions(), defaultServerOptions);
  const options = serverOptions({ securePort: 0, store: 'memory' });
  assert.equal(options.securePort, 0);
  assert.equal(options.store, 'memory');
  assert.equal(options.bindAddress, '127.0.0.1');
});

test('each invalid option is reported with its flag', () => {
  const cases: [given: Partial<ServerOptions>, problem: string][] = [
    [{ securePort: 70_000 }, '--secure-port 70000 must be between 0 and 65535, inclusive; 0 takes any free port'],
    [{ securePort: 1.5 }, '--secure-port 1.5 must be between 0 and 65535, inclusive; 0 takes any free port'],
    [{ bindAddress: 'localhost' }, '--bind-address localhost is not an IP address'],
    [{ advertiseAddress: '10.0.0' }, '--advertise-address 10.0.0 is not an IP address'],
    [{ tlsCertFile: 'cert.pem' }, 'missing filename for serving cert'],
    [{ requestTimeoutMs: -1 }, '--request-timeout can not be negative value'],
    [{ maxRequestsInFlight: -1 }, '--max-requests-inflight can not be negative value'],
    [{ minRequestTimeoutSeconds: Number.NaN }, '--min-request-timeout can not be negative value'],
    [{ serviceClusterIpRange: '10.0.0.0' }, 'service-cluster-ip-range[0] is not a valid cidr'],
    [{ serviceClusterIpRange: '10.0.0.0/33' }, 'service-cluster-ip-range[0] is not a valid cidr'],
    [
      { serviceClusterIpRange: '10.0.0.0/8', featureGates: { DisableAllocatorDualWrite: false } },
      'specified --service-cluster-ip-range is too large; for 32-bit addresses, the mask must be >= 12',
    ],
    [
      { serviceClusterIpRange: 'fd00::/64', emulatedVersion: ['1.32'] },
      'specified --service-cluster-ip-range is too large; for 128-bit addresses, the mask must be >= 108',
    ],
    [
      { serviceClusterIpRange: '10.0.0.0/24,10.1.0.0/24' },
      '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
    ],
    [{ serviceNodePortRange: { first: 3, last: 2 } }, '--service-node-port-range 3-2 is not a range of ports'],
    [{ featureGates: { Foo: true } }, 'unrecognized feature gate: Foo'],
    [
      { emulatedVersion: ['1.33'], featureGates: { PodCertificateRequest: true } },
      'cannot set feature gate PodCertificateRequest to true, feature is PreAlpha at emulated version 1.33',
    ],
    [{ emulatedVersion: ['1.35'], featureGates: { Foo: true } }, 'unrecognized feature gate: Foo'],
    [{ emulatedVersion: ['abc'], dataDir: '' }, 'could not parse "abc" as version'],
    [
      { emulatedVersion: ['1.33'], featureGates: { AuthorizeWithSelectors: false } },
      'AuthorizeNodeWithSelectors feature requires AuthorizeWithSelectors feature to be enabled',
    ],
    [{ emulatedVersion: ['1.35'] }, 'emulation version 1.35 is not between [1.24, 1.34.0]'],
    [
      { emulationForwardCompatible: true },
      'ServerRunOptions.EmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
    ],
    [{ proxyClientCertFile: 'a' }, '--proxy-client-cert-file and --proxy-client-key-file must be given together'],
    [{ eventTtlMs: -1 }, '--event-ttl can not be negative value'],
    [{ store: 'etcd' as ServerOptions['store'] }, '--store etcd must be memory or embedded'],
    [{ dataDir: '' }, '--data-dir must not be empty'],
  ];
  for (const [given, problem] of cases) {
    assert.throws(() => serverOptions(given), new InvalidOptionsError(problem), JSON.stringify(given));
  }
});

test('all invalid options are reported at once', () => {
  assert.throws(
    () => serverOptions({ securePort: -1, dataDir: '' }),
    new InvalidOptionsError(
      '[--secure-port -1 must be between 0 and 65535, inclusive; 0 takes any free port, --data-dir must not be empty]',
    ),
  );
});

test('--service-cluster-ip-range accepts two ranges of different IP families', () => {
  assert.deepEqual(optionProblems({ ...defaultServerOptions, serviceClusterIpRange: '10.0.0.0/16,fd00::/112' }), []);
});

test('priority and fairness needs its API to be served, by the most specific entry of --runtime-config', () => {
  const problems = (runtimeConfig: Record<string, string>) =>
    optionProblems({ ...defaultServerOptions, runtimeConfig });
  const conflict = (key: string) => [
    `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`,
  ];
  const nothing = 'invalid key with only api/all=false';
  assert.deepEqual(problems({ 'api/all': 'false' }), [...conflict('api/all'), nothing]);
  assert.deepEqual(problems({ 'api/ga': 'false' }), conflict('api/ga'));
  assert.deepEqual(problems({ 'api/all': 'false', 'api/ga': 'true' }), []);
  assert.deepEqual(problems({ 'api/all': 'false', 'flowcontrol.apiserver.k8s.io/v1': 'true' }), []);
  const without = { ...defaultServerOptions, enablePriorityAndFairness: false, runtimeConfig: { 'api/all': 'false' } };
  assert.deepEqual(optionProblems(without), [nothing]);
});
