import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultServerOptions, type ServerOptions } from '../server/options.ts';
import { parseServeFlags, serveFlags, serveFlagTable } from './flags.ts';

function options(...argv: string[]): ServerOptions {
  const parsed = parseServeFlags(argv);
  assert.ok('options' in parsed, JSON.stringify(parsed));
  return parsed.options;
}

test('without flags, the options are the defaults', () => {
  assert.deepEqual(options(), defaultServerOptions);
});

const OIDC_FLAGS = ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=us'];
const OIDC_OPTIONS = { oidcIssuerUrl: 'https://issuer.example', oidcClientId: 'us' };

test('flags are read in the syntax of pflag', () => {
  const cases: [argv: string[], expected: Partial<ServerOptions>][] = [
    [['--secure-port', '8443'], { securePort: 8443 }],
    [['--secure-port=8443'], { securePort: 8443 }],
    [['--secure_port=8443'], { securePort: 8443 }],
    [['--secure-port=1', '--secure-port=2'], { securePort: 2 }],
    [['--anonymous-auth=false'], { anonymousAuth: false, givenOptions: ['anonymousAuth'] }],
    [['--anonymous-auth=false', '--anonymous-auth'], { anonymousAuth: true, givenOptions: ['anonymousAuth'] }],
    [['--anonymous-auth=F'], { anonymousAuth: false, givenOptions: ['anonymousAuth'] }],
    [['--service-account-issuer=a', '--service-account-issuer=b,c'], { serviceAccountIssuer: ['a', 'b,c'] }],
    [
      [...OIDC_FLAGS, '--oidc-signing-algs=ES256', '--oidc-signing-algs=RS512'],
      { ...OIDC_OPTIONS, oidcSigningAlgs: ['ES256', 'RS512'] },
    ],
    [
      [...OIDC_FLAGS, '--oidc-required-claim=a=b=c', '--oidc-required-claim', 'd=e,f'],
      { ...OIDC_OPTIONS, oidcRequiredClaim: { a: 'b=c', d: 'e,f' } },
    ],
    [['--bind-address=::'], { bindAddress: '::' }],
    [['--advertise-address', '192.0.2.1'], { advertiseAddress: '192.0.2.1' }],
    [['--request-timeout=1h30m'], { requestTimeoutMs: 5_400_000 }],
    [['--event-ttl', '500ms'], { eventTtlMs: 500 }],
    [['--shutdown-delay-duration=2s'], { shutdownDelayMs: 2000 }],
    [['--service-node-port-range=30000+9'], { serviceNodePortRange: { first: 30_000, last: 30_009 } }],
    [['--service-node-port-range', '1000-2000'], { serviceNodePortRange: { first: 1000, last: 2000 } }],
    [
      ['--runtime-config=api/all=true, apps/v1=false', '--runtime-config=batch/v1'],
      { runtimeConfig: { 'api/all': 'true', 'apps/v1': 'false', 'batch/v1': '' } },
    ],
    [
      ['--feature-gates=AllAlpha=true', '--feature-gates', 'WatchList=false'],
      { featureGates: { AllAlpha: true, WatchList: false } },
    ],
    [['--emulated-version=kube=1.33'], { emulatedVersion: ['kube=1.33'] }],
    [['--token-auth-file', 'tokens.csv'], { tokenAuthFile: 'tokens.csv' }],
    [['--token-auth-file='], { tokenAuthFile: undefined }],
    [['--store=memory', '--data-dir', '/tmp/x'], { store: 'memory', dataDir: '/tmp/x' }],
    [['--v=3'], { verbosity: 3 }],
    [['-v', '3'], { verbosity: 3 }],
    [['-v3'], { verbosity: 3 }],
    [['-v=3'], { verbosity: 3 }],
    [['--v', '3', '--'], { verbosity: 3 }],
  ];
  for (const [argv, expected] of cases) {
    assert.deepEqual(options(...argv), { ...defaultServerOptions, ...expected }, argv.join(' '));
  }
});

test('a command line that cannot be right gives one line that says why', () => {
  const cases: [argv: string[], error: string][] = [
    [['--nothing'], 'unknown flag: --nothing'],
    [['--nothing=1'], 'unknown flag: --nothing'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['--=x'], 'bad flag syntax: --=x'],
    [['--secure-port'], 'flag needs an argument: --secure-port'],
    [['-v'], "flag needs an argument: 'v' in -v"],
    [['--secure-port=abc'], 'invalid argument "abc" for "--secure-port" flag: not a whole number'],
    [['--v=abc'], 'invalid argument "abc" for "-v, --v" flag: not a whole number'],
    [['--watch-cache=maybe'], 'invalid argument "maybe" for "--watch-cache" flag: neither true nor false'],
    [['--bind-address=here'], 'invalid argument "here" for "--bind-address" flag: failed to parse IP: "here"'],
    [['--event-ttl', '5'], 'invalid argument "5" for "--event-ttl" flag: time: missing unit in duration "5"'],
    [['--feature-gates=Foo=true'], 'unrecognized feature gate: Foo'],
    [['--feature-gates=WatchList'], 'missing bool value for WatchList'],
    [
      ['--service-node-port-range=x'],
      'invalid argument "x" for "--service-node-port-range" flag: not a port range such as 30000-32767',
    ],
    [['--secure-port=70000'], '--secure-port 70000 must be between 0 and 65535'],
    [['--watch-cache', 'false'], 'serve does not take any arguments, got ["false"]'],
    [['--', 'a', 'b'], 'serve does not take any arguments, got ["a","b"]'],
    [['-'], 'serve does not take any arguments, got ["-"]'],
  ];
  for (const [argv, error] of cases) assert.deepEqual(parseServeFlags(argv), { error }, argv.join(' '));
});

test('help is asked for by either name, wherever it stands', () => {
  assert.deepEqual(parseServeFlags(['--help']), { help: true });
  assert.deepEqual(parseServeFlags(['--secure-port=1', '-h']), { help: true });
});

test("the table shows every flag with its type and default, one a line, under kube-apiserver's sections", () => {
  const lines = serveFlagTable().split('\n');
  assert.equal(lines.filter((line) => /^ {2,6}-/.test(line)).length, serveFlags.length + 1);
  assert.deepEqual(lines.filter((line) => /^\S/.test(line)).slice(0, 3), [
    'Generic flags:',
    'Etcd flags:',
    'Secure serving flags:',
  ]);
  assert.ok(
    lines.every((line) => line.length <= 140),
    'a line is too long for a terminal',
  );
  const table = lines.join('\n');
  assert.match(table, /^ {6}--secure-port int {2,}The port .* \(default 6443\)$/m);
  assert.match(table, /^ {6}--request-timeout duration {2,}.* \(default 1m0s\)$/m);
  assert.match(table, /^ {6}--service-node-port-range portRange {2,}.* \(default 30000-32767\)$/m);
  assert.match(table, /^ {6}--data-dir string {2,}.* \(default "\.\/keelson-data"\)$/m);
  assert.match(table, /^ {6}--token-auth-file string {2,}[^(]*$/m);
  assert.match(table, /^ {2}-v, --v int {2,}.* \(default 0\)$/m);
  assert.match(table, /^ {2}-h, --help {2,}/m);
});

test('every option can be given, and no two flags give the same', () => {
  const given = serveFlags.map((flag) => flag.option);
  assert.deepEqual([...given].sort(), Object.keys(defaultServerOptions).sort());
});

test('flags that can have no effect are accepted, checked by type, and warned of', () => {
  const parsed = parseServeFlags(['--profiling=false', '--secure-port=1']);
  assert.ok('options' in parsed);
  assert.equal(parsed.options.securePort, 1);
  assert.deepEqual(parsed.warnings, ['Flag --profiling has no effect: the profiles of Go are not served']);
  assert.deepEqual(parseServeFlags(['--delete-collection-workers=x']), {
    error: 'invalid argument "x" for "--delete-collection-workers" flag: not a whole number',
  });
});

test('a deprecated flag is warned of in the words of kube-apiserver', () => {
  const parsed = parseServeFlags(['--admission-control=NamespaceLifecycle']);
  assert.ok('options' in parsed);
  assert.deepEqual(parsed.warnings, [
    'Flag --admission-control has been deprecated, Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  ]);
});
