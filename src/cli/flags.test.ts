import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inOptionNames } from '../server/option-names.ts';
import { authorizationModes } from '../server/options/authorization.ts';
import { defaultServerOptions, InvalidOptionsError, type ServerOptions } from '../server/options.ts';
import { startServer } from '../server/server.ts';
import { acceptedFlags } from './flags/accepted.ts';
import { flagTypes } from './flags/flag.ts';
import { serveFlagTable } from './flags/help.ts';
import { serveFlags } from './flags/sections.ts';
import { flagValues, parseServeFlags } from './flags.ts';

function options(...argv: string[]): ServerOptions {
  const parsed = parseServeFlags(argv);
  assert.ok('options' in parsed, JSON.stringify(parsed));
  return parsed.options;
}

test('without flags, the options are the defaults', () => {
  assert.deepEqual(options(), defaultServerOptions);
});

const OIDC_FLAGS = ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=us'];
const OIDC_GIVEN = ['oidcClientId', 'oidcIssuerUrl'];
const OIDC_OPTIONS = { oidcIssuerUrl: 'https://issuer.example', oidcClientId: 'us' };

test('flags are parsed in the syntax of pflag', () => {
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
      { ...OIDC_OPTIONS, oidcSigningAlgs: ['ES256', 'RS512'], givenOptions: [...OIDC_GIVEN, 'oidcSigningAlgs'] },
    ],
    [
      [...OIDC_FLAGS, '--oidc-required-claim=a=b=c', '--oidc-required-claim', 'd=e,f'],
      {
        ...OIDC_OPTIONS,
        oidcRequiredClaim: { a: 'b=c', d: 'e,f' },
        givenOptions: [...OIDC_GIVEN, 'oidcRequiredClaim'],
      },
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
    [['--secure-port=0x1F90'], { securePort: 8080 }],
    [['--etcd-servers=http://a:1', '--etcd-servers=http://b:1'], { etcdServers: ['http://a:1', 'http://b:1'] }],
    [
      ['--tls-sni-cert-key=a.crt, a.key', '--tls-sni-cert-key', 'b.crt,b.key: *.b.example ,b.example'],
      {
        tlsSniCertKey: [
          { certFile: 'a.crt', keyFile: 'a.key', names: [] },
          { certFile: 'b.crt', keyFile: 'b.key', names: ['*.b.example', 'b.example'] },
        ],
      },
    ],
    [
      ['--feature-gates=WatchList=false', '--feature-gates=EnvFiles=1'],
      { featureGates: { WatchList: false, EnvFiles: true } },
    ],
    [['--disabled-metrics="a,b",c'], { disabledMetrics: ['a,b', 'c'] }],
    [
      ['--allow-metric-labels=a,b=c, d', '--allow-metric-labels="e,f=g"'],
      { allowMetricLabels: { 'a,b': 'c, d', 'e,f': 'g' } },
    ],
    [['--allow-metric-labels="a,b=c,d","e,f=g"'], { allowMetricLabels: { 'a,b': 'c,d', 'e,f': 'g' } }],
    [['--version=v1.34.4-mine'], { reportedVersion: 'v1.34.4-mine' }],
    [['--version=false'], {}],
    [['--help=false', ''], {}],
    [['--advertise-address=192.0.2.1', '--advertise-address='], { advertiseAddress: '192.0.2.1' }],
    [['--service-node-port-range='], {}],
  ];
  for (const [argv, expected] of cases) {
    assert.deepEqual(options(...argv), { ...defaultServerOptions, ...expected }, argv.join(' '));
  }
});

const ORIGINS_HELP =
  "List of allowed origins for CORS, comma separated. An allowed origin can be a regular expression to support subdomain matching. If this list is empty CORS will not be enabled. Please ensure each expression matches the entire hostname by anchoring to the start with '^' or including the '//' prefix, and by anchoring to the end with '$' or including the ':' port separator suffix. Examples of valid expressions are '//example\\.com(:|$)' and '^https://example\\.com(:|$)'";

/** kube-apiserver's text, without the name of the flag behind it. */
function errorOf(argv: readonly string[]): string | undefined {
  const parsed = parseServeFlags(argv);
  return 'error' in parsed ? parsed.error.replace(/; see --[\w-]+$/, '') : undefined;
}

test('invalid flags give one line with the reason', () => {
  const cases: [argv: string[], error: string][] = [
    [['--nothing'], 'unknown flag: --nothing'],
    [['--nothing=1'], 'unknown flag: --nothing'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['--=x'], 'bad flag syntax: --=x'],
    [['--secure-port'], 'flag needs an argument: --secure-port'],
    [['-v'], "flag needs an argument: 'v' in -v"],
    [
      ['--secure-port=abc'],
      'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax',
    ],
    [['--v=abc'], 'invalid argument "abc" for "-v, --v" flag: strconv.ParseUint: parsing "abc": invalid syntax'],
    [
      ['--watch-cache=maybe'],
      'invalid argument "maybe" for "--watch-cache" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [['--bind-address=here'], 'invalid argument "here" for "--bind-address" flag: failed to parse IP: "here"'],
    [['--event-ttl', '5'], 'invalid argument "5" for "--event-ttl" flag: time: missing unit in duration "5"'],
    [['--feature-gates=Foo=true'], 'unrecognized feature gate: Foo'],
    [['--feature-gates=WatchList'], 'missing bool value for WatchList'],
    [
      ['--feature-gates=kube:WatchList=true', '--feature-gates=EnvFiles=true'],
      'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
    ],
    [
      ['--disabled-metrics="a'],
      String.raw`invalid argument "\"a" for "--disabled-metrics" flag: parse error on line 1, column 3: extraneous or missing " in quoted-field`,
    ],
    [['--emulated-version=,1.33'], 'could not parse "" as version'],
    [
      ['--allow-metric-labels=a,b=c=d'],
      'invalid argument "a,b=c=d" for "--allow-metric-labels" flag: a must be formatted as key=value',
    ],
    [
      ['--allow-metric-labels= a,b=c'],
      '--allow-metric-labels must have a list of kv pair with format `metricName,labelName=labelValue, labelValue,...`',
    ],
    [
      ['--service-node-port-range=x'],
      'invalid argument "x" for "--service-node-port-range" flag: strconv.Atoi: parsing "x": invalid syntax',
    ],
    [
      ['--service-node-port-range=9-5'],
      'invalid argument "9-5" for "--service-node-port-range" flag: end port cannot be less than start port: 9-5',
    ],
    [['--vmodule=a'], 'invalid argument "a" for "--vmodule" flag: "a" does not have the pattern=N format'],
    [
      ['--vmodule=a=-1'],
      'invalid argument "a=-1" for "--vmodule" flag: parsing verbosity in "a=-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      ['--log-json-info-buffer-size=x'],
      'invalid argument "x" for "--log-json-info-buffer-size" flag: quantities must match the regular expression ' +
        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [['--logging-format=xx'], 'format: Invalid value: "xx": Unsupported log format'],
    [['--log-text-split-stream'], 'options.text.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled'],
    [
      ['--tls-sni-cert-key=a'],
      'invalid argument "a" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths',
    ],
    [
      ['--tls-sni-cert-key=a,b:'],
      'invalid argument "a,b:" for "--tls-sni-cert-key" flag: empty names list is not allowed',
    ],
    [
      ['--cors-allowed-origins=foo'],
      `--cors-allowed-origins has an invalid regular expression: regular expression does not pin to start/end of host in the origin header, help: ${ORIGINS_HELP}`,
    ],
    [
      ['--strict-transport-security-directives=foo'],
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
    ],
    [
      ['--kubernetes-service-node-port=70000'],
      "[--kubernetes-service-node-port 70000 must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP, kubernetes service node port range 30000-32767 doesn't contain 70000]",
    ],
    [
      ['--show-hidden-metrics-for-version=1.2'],
      "--show-hidden-metrics-for-version must be omitted or have the value '1.33'. Only the previous minor version is allowed",
    ],
    [['--help=no'], 'invalid argument "no" for "-h, --help" flag: strconv.ParseBool: parsing "no": invalid syntax'],
    [
      ['--kubelet-port=-1'],
      'invalid argument "-1" for "--kubelet-port" flag: strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [['--version=v1'], 'invalid argument "v1" for "--version" flag: illegal version string "v1"'],
    [
      ['--version=v1.34.4-x_y'],
      'invalid argument "v1.34.4-x_y" for "--version" flag: could not parse pre-release/metadata (-x_y) in version "v1.34.4-x_y"',
    ],
    [['--version=x'], 'invalid argument "x" for "--version" flag: strconv.ParseBool: parsing "x": invalid syntax'],
    [
      ['--version=v1.33.0'],
      'invalid argument "v1.33.0" for "--version" flag: version "v1.33.0" must match major/minor/patch of default version "v1.34.4+keelson"',
    ],
    [['--secure-port=70000'], '--secure-port 70000 must be between 0 and 65535, inclusive; 0 takes any free port'],
    [['--watch-cache', 'false'], '"keelson serve" does not take any arguments, got ["false"]'],
    [['--', 'a', 'b'], '"keelson serve" does not take any arguments, got ["a" "b"]'],
    [['a', '--secure-port=1', 'b'], '"keelson serve" does not take any arguments, got ["a" "b"]'],
    [['--watch-cache-sizes=pods#1,nodes'], 'invalid value of watch cache size: nodes'],
    [['-'], '"keelson serve" does not take any arguments, got ["-"]'],
  ];
  for (const [argv, error] of cases) assert.equal(errorOf(argv), error, argv.join(' '));
});

test('--version prints the version as by kube-apiserver', () => {
  const told = (...argv: string[]) => {
    const parsed = parseServeFlags(argv);
    return 'version' in parsed ? parsed.version : parsed;
  };
  assert.equal(told('--version'), 'Kubernetes v1.34.4+keelson');
  assert.equal(told('--version', '--kubernetes-version=1.37'), 'Kubernetes v1.37.2+keelson');
  assert.match(told('--version=raw', '--secure-port=1') as string, /^version\.Info\{Major:"1", Minor:"34", /);
  assert.match(told('--version=raw', '--kubernetes-version=1.24') as string, /GitVersion:"v1\.24\.17\+keelson"/);
  const { error } = parseServeFlags(['--version', '--kubernetes-version=1.99']) as { error: string };
  assert.match(error, /^--kubernetes-version: "1\.99" is not a known release; known are 1\.24\.17, /);
});

test('every flag of kube-apiserver exists, with the same type', () => {
  const path = new URL('../../test/fixtures/kube-apiserver-flags.json', import.meta.url);
  const theirs = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  const ours = [...serveFlags, ...acceptedFlags];
  const known = Object.fromEntries(ours.map(({ name, type }) => [name, flagTypes[type].label || 'bool']));
  // That of --help has no value; values of gates and labels are maps, whatever a program calls these.
  const called: Record<string, string> = {
    colonSeparatedMultimapStringString: 'mapStringBool',
    stringToString: 'mapStringString',
  };
  for (const [name, type] of Object.entries(theirs)) {
    if (name !== 'help') assert.equal(known[name], called[type] ?? type, `--${name}`);
  }
});

test('help has two names of flags, at any position', () => {
  assert.deepEqual(parseServeFlags(['--help']), { help: true });
  assert.deepEqual(parseServeFlags(['--secure-port=1', '-h']), { help: true });
});

test('the help shows every flag with its type and default, one a line, in the sections of kube-apiserver', () => {
  const lines = serveFlagTable().split('\n');
  assert.equal(lines.filter((line) => /^ {2,6}-/.test(line)).length, serveFlags.length + 2);
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
  assert.match(table, /^ {2}-v, --v Level {2,}.* \(default 0\)$/m);
  assert.match(table, /^ {2}-h, --help {2,}/m);
});

test('every option can be set, and no two flags set the same', () => {
  const given = serveFlags.map((flag) => flag.option);
  assert.deepEqual([...given].sort(), Object.keys(defaultServerOptions).sort());
});

test('invalid options are reported by the names of options if they were not given as flags', async () => {
  for (const { name, option } of serveFlags) {
    assert.equal(inOptionNames(new InvalidOptionsError(`--${name} is wrong`)).message, `${option} is wrong`);
  }
  await assert.rejects(startServer({ securePort: 70_000 }), /^InvalidOptionsError: securePort 70000 must be between/);
  await assert.rejects(startServer({ certFile: 'x' } as object), /there is no option certFile/);
  assert.deepEqual(parseServeFlags(['--secure-port=70000']), {
    error: '--secure-port 70000 must be between 0 and 65535, inclusive; 0 takes any free port',
  });
});

test('flags without an effect are accepted, checked by type, and cause a warning', () => {
  const parsed = parseServeFlags(['--contention-profiling=false', '--secure-port=1']);
  assert.ok('options' in parsed);
  assert.equal(parsed.options.securePort, 1);
  assert.deepEqual(parsed.warnings, ['Flag --contention-profiling has no effect: requests do not contend for locks']);
  assert.deepEqual(parseServeFlags(['--delete-collection-workers=x']), {
    error: 'invalid argument "x" for "--delete-collection-workers" flag: strconv.ParseInt: parsing "x": invalid syntax',
  });
});

test('flag errors are reported as by kube-apiserver: the first step with errors ends, and validation reports all', () => {
  const cases: [argv: string[], error: string][] = [
    [
      [
        '--apiserver-count=0',
        '--secure-port=70000',
        '--max-requests-inflight=-1',
        '--audit-log-path=a',
        '--audit-log-mode=x',
      ],
      '[--max-requests-inflight can not be negative value, --secure-port 70000 must be between 0 and 65535, inclusive; 0 takes any free port, invalid audit log mode x, allowed modes are "batch,blocking,blocking-strict", --apiserver-count should be a positive number, but value \'0\' provided]',
    ],
    [
      ['--coordinated-leadership-lease-duration=1s', '--coordinated-leadership-retry-period=1m'],
      '[--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline, --coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period]',
    ],
    [
      ['--service-account-issuer='],
      '[service-account-issuer should not be an empty string, --service-account-signing-key-file and --service-account-issuer are required flags]',
    ],
    [['--watch-cache-sizes=pods#-1', '--apiserver-count=0'], 'watch cache size cannot be negative: pods#-1'],
    [
      ['--apiserver-count=0', '--tls-min-version=x'],
      "--apiserver-count should be a positive number, but value '0' provided",
    ],
    [
      ['--peer-advertise-ip=1.2.3.4'],
      '--peer-advertise-ip requires UnknownVersionInteroperabilityProxy feature to be turned on',
    ],
    [
      ['--log-json-info-buffer-size=1Ki'],
      'options.json.infoBufferSize: Forbidden: Feature LoggingAlphaOptions is disabled',
    ],
    [['--service-cluster-ip-range=10.0.0.0/24,x'], 'service-cluster-ip-range[1] is not an ip net'],
    [
      ['--oidc-username-claim=sub'],
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ],
  ];
  for (const [argv, error] of cases) assert.equal(errorOf(argv), error, argv.join(' '));
});

test('an empty list of authorization modes is accepted', () => {
  const parsed = parseServeFlags(['--authorization-mode=']);
  assert.ok('options' in parsed);
  assert.deepEqual(authorizationModes(parsed.options), ['AlwaysAllow']);
});

test('a deprecated flag causes a warning in the words of kube-apiserver', () => {
  const parsed = parseServeFlags(['--admission-control=NamespaceLifecycle']);
  assert.ok('options' in parsed);
  assert.deepEqual(parsed.warnings, [
    'Flag --admission-control has been deprecated, Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  ]);
});

test('an old name of a flag causes a warning, and a removed flag is reported with its replacement', () => {
  const parsed = parseServeFlags(['--audit-webhook-batch-initial-backoff=3s']);
  assert.deepEqual('warnings' in parsed ? parsed.warnings : undefined, [
    'Flag --audit-webhook-batch-initial-backoff has been deprecated, Deprecated, use --audit-webhook-initial-backoff instead.',
  ]);
  assert.ok(!('warnings' in parseServeFlags(['--audit-webhook-initial-backoff=3s'])));
  assert.deepEqual(parseServeFlags(['--insecure-port=8080']), {
    error:
      'unknown flag: --insecure-port (removed in Kubernetes 1.24: use --secure-port and --bind-address; requests without TLS are not served)',
  });
  assert.deepEqual(parseServeFlags(['--toString']), { error: 'unknown flag: --toString' });
});

test('the help lists every feature gate that can be set, with its stage and default', () => {
  const help = serveFlagTable();
  assert.match(help, /\n {5,}kube:WatchList=true\|false \(BETA - default=true\)\n/);
  assert.match(help, /kube:AllAlpha=true\|false \(ALPHA - default=false\)\n/);
  assert.doesNotMatch(help, /kube:ConsistentListFromCache/, 'a locked gate cannot be set');
});

test('the values of all flags are known, whether they were set or not', () => {
  const parsed = parseServeFlags(['--feature-gates=WatchList=false', '--v=2']);
  assert.ok('options' in parsed);
  const values = flagValues(parsed.options);
  assert.equal(values.get('feature-gates'), ':WatchList=false');
  assert.equal(values.get('event-ttl'), '1h0m0s');
  assert.equal(values.get('livez-grace-period'), '0s');
  assert.equal(values.get('service-node-port-range'), '30000-32767');
  assert.equal(values.get('version'), 'false');
  assert.equal(values.get('v'), '2');
  assert.equal(values.get('etcd-servers'), '[]');
});

test('flags of other releases are accepted with the gate of their feature', () => {
  const peers = ['--peer-ca-file=ca.crt', '--peer-advertise-ip=1.2.3.4', '--peer-advertise-port=443'];
  const certificate = ['--proxy-client-cert-file=a.crt', '--proxy-client-key-file=a.key'];
  const gate = '--feature-gates=UnknownVersionInteroperabilityProxy=true';
  const parsed = parseServeFlags([...peers, ...certificate, gate]);
  assert.ok('options' in parsed, JSON.stringify(parsed));
  assert.deepEqual(parsed.warnings?.filter((warning) => warning.includes('--peer-')) ?? [], []);
});
