import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseServeFlags, type ServeCommand } from './flags.ts';
import { parseWithSettings, readSettings } from './read-settings.ts';

interface Given {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly file?: string;
}

async function parse({ argv = [], env = {}, file }: Given): Promise<ServeCommand> {
  const all = file === undefined ? argv : ['--config=server.yaml', ...argv];
  const readFile = (path: string) => {
    assert.equal(path, 'server.yaml');
    return file ?? '';
  };
  return parseServeFlags(all, await readSettings(all, { env, readFile }));
}

async function options(given: Given) {
  const parsed = await parse(given);
  assert.ok('options' in parsed, JSON.stringify(parsed));
  return parsed.options;
}

test('flags take precedence over the environment, the file and the defaults', async () => {
  const env = { KEELSON_SECURE_PORT: '2', KEELSON_EVENT_TTL: '2h', OTHER: 'x' };
  const file = 'secure-port: 3\nevent-ttl: 3h\nstore: memory\n';
  const found = await options({ argv: ['--secure-port=1'], env, file });
  assert.deepEqual(
    [found.securePort, found.eventTtlMs, found.store, found.bindAddress],
    [1, 7_200_000, 'memory', '127.0.0.1'],
  );
});

test('a list of settings comes from one source, and a list or map in the file repeats its flag', async () => {
  const file = `
service-account-issuer: [https://a.example, https://b.example]
feature-gates: {WatchList: true, AllAlpha: false}
runtime-config:
  api/all: true
emulated-version: 1.30
`;
  const found = await options({ file });
  assert.deepEqual(found.serviceAccountIssuer, ['https://a.example', 'https://b.example']);
  assert.deepEqual(found.featureGates, { WatchList: true, AllAlpha: false });
  assert.deepEqual(found.runtimeConfig, { 'api/all': 'true' });
  assert.deepEqual(found.emulatedVersion, ['1.30'], 'a number is the text that stands there');
  const argv = ['--service-account-issuer=https://c.example'];
  assert.deepEqual((await options({ argv, file })).serviceAccountIssuer, ['https://c.example']);
  const env = { KEELSON_SERVICE_ACCOUNT_ISSUER: 'https://d.example' };
  assert.deepEqual((await options({ env, file })).serviceAccountIssuer, ['https://d.example']);
});

test('an empty settings file sets nothing, and an empty string in quotes is a value', async () => {
  for (const file of ['', '# nothing\n', '---\n']) await options({ file });
  assert.equal((await options({ file: 'token-auth-file: ""' })).tokenAuthFile, undefined);
});

test('invalid settings are reported with their source', async () => {
  const cases: [Given, RegExp][] = [
    [
      { file: 'secure-prt: 1' },
      /^server\.yaml: secure-prt: unknown flag: --secure-prt \(did you mean --secure-port\?\)$/,
    ],
    [{ file: 'secure-port: many' }, /^server\.yaml: secure-port: invalid argument "many" for "--secure-port" flag: /],
    [{ file: 'feature-gates: {WatchList: maybe}' }, /^server\.yaml: feature-gates: /],
    [{ file: 'secure-port: [1, {a: b}]' }, /^server\.yaml: secure-port\[1\]: must be a text/],
    [{ file: 'secure-port: {a: b}' }, /^server\.yaml: secure-port: must be one value, not a map$/],
    [{ file: 'secure-port: [1, 2]' }, /^server\.yaml: secure-port: must be one value, not a list$/],
    [{ file: 'service-account-issuer: {a: b}' }, /^server\.yaml: service-account-issuer: must be a list, not a map$/],
    [{ file: 'secure-port:' }, /^server\.yaml: secure-port: has no value; see --config$/],
    [{ file: '- secure-port' }, /^server\.yaml: must be a map/],
    [
      { file: 'secure-port: 1\nsecure-port: 2' },
      /^server\.yaml: yaml: line 2: key "secure-port" already set in map; see --config$/,
    ],
    [
      { file: 'a: 1\n b: [' },
      /^server\.yaml: yaml: line 2: mapping values are not allowed in this context; see --config$/,
    ],
    [{ file: 'config: x' }, /^server\.yaml: config: a file cannot name another one; see --config$/],
    [{ file: 'Secure Port: 1' }, /^server\.yaml: Secure Port: is not the name of a flag; see --config$/],
    [{ env: { KEELSON_SECURE_PORT: 'x' } }, /^KEELSON_SECURE_PORT: invalid argument "x"/],
  ];
  for (const [given, message] of cases) {
    const error = await parse(given).then(
      (parsed) => ('error' in parsed ? parsed.error : JSON.stringify(parsed)),
      (thrown: Error) => thrown.message,
    );
    assert.match(error, message);
  }
});

test('the environment may name the settings file, and a variable without a flag is reported', async () => {
  const env = { KEELSON_CONFIG: 'server.yaml', KEELSON_SERVICE_HOST: '10.0.0.5' };
  const readFile = (path: string) => {
    assert.equal(path, 'server.yaml');
    return 'store: memory';
  };
  const parsed = parseServeFlags([], await readSettings([], { env, readFile }));
  assert.ok('options' in parsed);
  assert.equal(parsed.options.store, 'memory');
  assert.deepEqual(parsed.warnings, ['KEELSON_SERVICE_HOST names no flag and is ignored']);
});

test('KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE serves the APIs that a release has removed', async () => {
  const variable = 'KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE';
  for (const [text, served] of [
    ['true', true],
    ['0', false],
  ] as const) {
    const parsed = await parseWithSettings([], { [variable]: text });
    assert.ok('options' in parsed);
    assert.equal(parsed.options.serveRemovedApisForOneRelease, served);
  }
  const wrong = await parseWithSettings([], { [variable]: 'yes' });
  assert.ok('error' in wrong && wrong.error.startsWith(`${variable}: invalid argument "yes"`));
});

test('commands without a settings file reject --config', () => {
  assert.deepEqual(parseServeFlags(['--config=x']), {
    error: 'unknown flag: --config: serve, run and testserver have it',
  });
});
