import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { isAfter, releaseChangelog, releasedNotes } from './release/changelog.ts';
import { scoopManifest } from './release/installers.ts';
import { PLATFORMS } from './release/platforms.ts';
import { type ReleaseOptions, release } from './release.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Much.\n\n## 0.1.0 (2026-01-01)\n\n- All.\n';

test('a release takes its notes from the Unreleased section of the changelog', () => {
  const { text, notes } = releaseChangelog(CHANGELOG, '0.2.0', '2026-02-03');
  assert.equal(notes, '### Added\n\n- Much.\n');
  const expected =
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-03)\n\n### Added\n\n- Much.\n\n## 0.1.0 (2026-01-01)\n\n- All.\n';
  assert.equal(text, expected);
  assert.equal(releasedNotes(text, '0.2.0'), notes);
  assert.equal(releasedNotes(text, '0.1.0'), '- All.\n');
  assert.throws(() => releaseChangelog(text, '0.3.0', '2026-02-03'), /nothing is unreleased/);
});

test('a release has a version after the current one', () => {
  for (const next of ['0.1.1', '0.2.0', '1.0.0', '0.2.0-rc.1']) assert.ok(isAfter(next, '0.1.0'), next);
  for (const next of ['0.1.0', '0.0.9', '0.1.0-rc.1']) assert.ok(!isAfter(next, '0.1.0'), next);
  assert.ok(isAfter('0.2.0', '0.2.0-rc.1'));
  assert.throws(() => isAfter('next', '0.1.0'), /next is not a version/);
});

/** A repository that can be released, and options for it. */
function repository(context: TestContext): ReleaseOptions & { readonly lines: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'root');
  mkdirSync(join(root, 'src/lifecycle'), { recursive: true });
  const json = { name: 'keelson', version: '0.1.0', description: 'The server: small.', license: 'Apache-2.0' };
  const files = {
    'package.json': JSON.stringify(json),
    'package-lock.json': JSON.stringify({ version: '0.1.0', packages: { '': { version: '0.1.0' } } }),
    'CHANGELOG.md': CHANGELOG,
    'src/lifecycle/version.ts': "export const keelsonVersion = '0.1.0';\n",
    '.gitignore': 'node_modules\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  mkdirSync(join(root, 'node_modules'));
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: root, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  for (const [name, value] of Object.entries(AUTHOR)) process.env[name] = value;
  git('commit', '--quiet', '--message', 'first');
  const lines: string[] = [];
  return {
    ...{
      root,
      version: '0.2.0',
      output: join(folder, 'output'),
      date: '2026-02-03',
      executables: [],
      image: false,
      lines,
    },
    ...{ repository: 'https://github.com/example/keelson', print: (line: string) => void lines.push(line) },
  };
}

const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' },
  ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' },
};

const said = (root: string, ...argv: string[]) => execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).trim();

test('a dry run of a release makes its files and changes nothing', (context) => {
  const options = repository(context);
  release({ ...options, dryRun: true });
  assert.deepEqual(options.lines, [
    'would refuse: it is not known that CI passed for this commit: install gh, or run .ci/run and pass --ci-passed',
    'changelog: 3 lines under 0.2.0',
    'tarball: keelson-0.2.0.tgz',
    'installers: keelson.rb for Homebrew',
    'dry run: nothing was committed',
  ]);
  assert.deepEqual(readdirSync(options.output).sort(), ['SHA256SUMS', 'keelson-0.2.0.tgz', 'keelson.rb', 'notes.md']);
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: options.output });
  const formula = readFileSync(join(options.output, 'keelson.rb'), 'utf8');
  const [sum] = readFileSync(join(options.output, 'SHA256SUMS'), 'utf8').split(' ');
  const address = 'https://github.com/example/keelson/releases/download/v0.2.0/keelson-0.2.0.tgz';
  assert.ok(formula.includes(`url "${address}"\n  sha256 "${sum}"`), formula);
  assert.equal(said(options.root, 'log', '--format=%s'), 'first');
  assert.equal(said(options.root, 'status', '--porcelain'), '');
});

test('a release is a commit and a tag on main, and its tag makes the same files', (context) => {
  const options = repository(context);
  release({ ...options, ciPassed: true });
  const { root } = options;
  assert.equal(said(root, 'log', '--format=%s'), 'release: 0.2.0\nfirst');
  assert.equal(said(root, 'tag', '--list'), 'v0.2.0');
  assert.equal(
    readFileSync(join(root, 'src/lifecycle/version.ts'), 'utf8'),
    "export const keelsonVersion = '0.2.0';\n",
  );
  const { version, repository: from } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual([version, from.url], ['0.2.0', 'git+https://github.com/example/keelson.git']);
  assert.equal(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[''].version, '0.2.0');
  const notes = readFileSync(join(options.output, 'notes.md'), 'utf8');
  const built = mkdtempSync(join(tmpdir(), 'built-'));
  context.after(() => rmSync(built, { recursive: true }));
  writeFileSync(join(built, 'keelson-0.2.0-windows-x64.exe'), 'built elsewhere');
  release({ ...options, tagged: true, built });
  assert.equal(readFileSync(join(options.output, 'notes.md'), 'utf8'), notes);
  assert.match(readFileSync(join(options.output, 'keelson.json'), 'utf8'), /windows-x64\.exe#\/keelson\.exe/);
  assert.equal(said(root, 'log', '--format=%s'), 'release: 0.2.0\nfirst');
});

test('a release is refused elsewhere than on a clean main', (context) => {
  const options = repository(context);
  writeFileSync(join(options.root, 'new.ts'), '');
  assert.throws(() => release({ ...options, ciPassed: true }), /has changes that are not committed/);
  said(options.root, 'checkout', '--quiet', '-b', 'other');
  assert.throws(() => release({ ...options, ciPassed: true }), /is made on main, and this is other/);
  assert.throws(() => release({ ...options, version: '0.1.0' }), /0\.1\.0 is not after 0\.1\.0/);
  assert.throws(() => release({ ...options, tagged: true }), /this is no tag of 0\.2\.0: package\.json says 0\.1\.0/);
});

test('a release without executables for Windows has no manifest for Scoop', () => {
  const facts = { version: '0.2.0', description: '', license: '', repository: '', artifacts: [] };
  assert.equal(scoopManifest(facts), undefined);
});

test('the workflow that publishes makes releases with flags that there are, on every platform', () => {
  const root = join(import.meta.dirname, '..');
  const workflow = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as Workflow;
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run = '' }) => (run.startsWith('npm run release') ? [run] : []));
  assert.equal(commands.length, 2);
  const source = readFileSync(join(root, 'scripts/release.ts'), 'utf8');
  for (const [, flag = ''] of commands.join(' ').matchAll(/--(?:no-)?(\w[\w-]*)/g)) {
    assert.match(source, new RegExp(`^ +'?${flag}'?: \\{ type:`, 'm'));
  }
  const platforms = workflow.jobs['executables']!.strategy!.matrix.include.map(({ platform }) => platform);
  assert.deepEqual(
    platforms,
    PLATFORMS.map(({ name }) => name),
  );
});

interface Workflow {
  readonly jobs: Record<
    string,
    {
      readonly strategy?: { readonly matrix: { readonly include: readonly { platform: string }[] } };
      readonly steps: readonly { readonly run?: string }[];
    }
  >;
}
