// `npm run release -- 0.2.0`: makes a release from a clean main that CI has passed: changelog, version, tarball,
// executables, checksums, formula and manifest, and a commit with a tag, which are pushed by hand. All of it is made in a
// clone, so that a release that fails leaves nothing; `--dry-run` ends there. See docs/how-to/release.md.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isAfter, releaseChangelog, releasedNotes } from './release/changelog.ts';
import { artifact, checksums, homebrewFormula, type ReleaseFacts, scoopManifest } from './release/installers.ts';
import { nodeFor, PLATFORMS, type Platform } from './release/platforms.ts';

export interface ReleaseOptions {
  readonly root: string;
  readonly version: string;
  /** Where the files of the release are put. */
  readonly output: string;
  /** `https://github.com/owner/name`; that of package.json by default. */
  readonly repository?: string | undefined;
  /** YYYY-MM-DD */
  readonly date: string;
  /** Nothing is committed; what would keep a release from being made is printed instead. */
  readonly dryRun?: boolean;
  /** The checkout is the tag of the release, whose files are made: nothing is changed. */
  readonly tagged?: boolean;
  /** Whether to build a container image, if there is a program that can. */
  readonly image?: boolean;
  /** Somebody looked that CI passed. */
  readonly ciPassed?: boolean;
  /** The platforms to build executables for, by name; all by default. */
  readonly executables?: readonly string[] | undefined;
  /** A folder with executables that were built elsewhere. */
  readonly built?: string | undefined;
  readonly print: (line: string) => void;
}

/** @throws Error that says what keeps the release from being made */
export function release(options: ReleaseOptions): void {
  const { root, version, output, dryRun = false, tagged = false, print } = options;
  const problems = tagged ? [] : problemsOf(options);
  if (problems.length > 0 && !dryRun) throw new Error(problems.join('\n'));
  for (const problem of problems) print(`would refuse: ${problem}`);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const source = join(output, 'source');
  git(root, 'clone', '--quiet', '--shared', root, source);
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  const notes = tagged ? notesOf(source, version) : setVersion(source, options);
  writeFileSync(join(output, 'notes.md'), notes);
  print(`changelog: ${notes.split('\n').length - 1} lines under ${version}`);
  const names = [packTarball(source, options), ...executables(source, options)];
  const artifacts = names.map((name) => artifact(name, join(output, name)));
  writeFileSync(join(output, 'SHA256SUMS'), checksums(artifacts));
  writeInstallers({ ...factsOf(source), version, artifacts }, options);
  if (options.image !== false) buildImage(source, version, print);
  if (!tagged) tag(source, options);
  rmSync(source, { recursive: true });
}

/** Commits what the release changes, and hands the commit and its tag to the checkout. */
function tag(source: string, { root, version, dryRun = false, print }: ReleaseOptions): void {
  if (dryRun) {
    print('dry run: nothing was committed');
    return;
  }
  git(source, 'commit', '--quiet', '--all', '--message', `release: ${version}`);
  git(source, 'tag', '--annotate', `v${version}`, '--message', `Keelson ${version}`);
  git(root, 'pull', '--quiet', '--ff-only', '--tags', source, 'HEAD');
  print(`committed and tagged: git push origin main v${version} publishes it`);
}

function notesOf(source: string, version: string): string {
  const { version: current } = readPackage(source);
  if (current !== version) throw new Error(`this is no tag of ${version}: package.json says ${current}`);
  return releasedNotes(readFileSync(join(source, 'CHANGELOG.md'), 'utf8'), version);
}

/** Builds the image of docs/deploy/Containerfile, where a program can. */
function buildImage(source: string, version: string, print: (line: string) => void): void {
  const argv = ['build', '--tag', `keelson:${version}`, '--file', 'docs/deploy/Containerfile', '.'];
  const program = ['podman', 'docker'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (program === undefined) {
    print('container image: left to the workflow, because neither podman nor docker runs');
    return;
  }
  const { status, stderr } = spawnSync(program, argv, { cwd: source, encoding: 'utf8' });
  const last = stderr?.trimEnd().split('\n').at(-1);
  print(status === 0 ? `container image: keelson:${version}` : `container image: left to the workflow: ${last}`);
}

interface Package {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly repository?: { readonly url: string };
}

function readPackage(root: string): Package {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Package;
}

function git(cwd: string, ...argv: string[]): string {
  return execFileSync('git', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** Returns what keeps a release from being made. */
function problemsOf({ root, version, repository, ciPassed = false }: ReleaseOptions): string[] {
  const { version: current } = readPackage(root);
  const problems: string[] = [];
  if (!isAfter(version, current)) problems.push(`${version} is not after ${current}, the version in package.json`);
  const branch = git(root, 'branch', '--show-current');
  if (branch !== 'main') problems.push(`a release is made on main, and this is ${branch || 'no branch'}`);
  if (git(root, 'status', '--porcelain') !== '') problems.push('the checkout has changes that are not committed');
  if (git(root, 'tag', '--list', `v${version}`) !== '') problems.push(`there is a tag v${version} already`);
  if (repository === undefined && readPackage(root).repository === undefined) {
    problems.push('package.json names no repository, which addresses of files need: pass --repository OWNER/NAME');
  }
  if (!ciPassed && !passedCi(root)) {
    problems.push('it is not known that CI passed for this commit: install gh, or run .ci/run and pass --ci-passed');
  }
  return problems;
}

function passedCi(root: string): boolean {
  try {
    const argv = ['run', 'list', '--commit', git(root, 'rev-parse', 'HEAD'), '--json', 'conclusion'];
    const runs = JSON.parse(execFileSync('gh', argv, { cwd: root, encoding: 'utf8', stdio: 'pipe' })) as {
      conclusion: string;
    }[];
    return runs.length > 0 && runs.every(({ conclusion }) => conclusion === 'success');
  } catch {
    return false;
  }
}

/** Writes changelog and version in the clone; returns the notes. */
function setVersion(source: string, { version, date, repository }: ReleaseOptions): string {
  const change = (file: string, changed: (text: string) => string): void => {
    const path = join(source, file);
    writeFileSync(path, changed(readFileSync(path, 'utf8')));
  };
  const { version: current } = readPackage(source);
  const { text, notes } = releaseChangelog(readFileSync(join(source, 'CHANGELOG.md'), 'utf8'), version, date);
  writeFileSync(join(source, 'CHANGELOG.md'), text);
  change('package.json', (json) => {
    const content = { ...(JSON.parse(json) as object), version } as Record<string, unknown>;
    if (repository !== undefined) content['repository'] = { type: 'git', url: `git+${repository}.git` };
    return `${JSON.stringify(content, null, 2)}\n`;
  });
  change('package-lock.json', (json) => {
    const lock = JSON.parse(json) as { version: string; packages: Record<string, { version?: string }> };
    lock.version = version;
    lock.packages['']!.version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  change('src/lifecycle/version.ts', (code) => code.replace(`'${current}'`, `'${version}'`));
  return notes;
}

/** The archive for npm. Provenance is added by who publishes it: `npm publish --provenance`. */
function packTarball(source: string, { output, print }: ReleaseOptions): string {
  execFileSync('npm', ['pack', '--pack-destination', output], { cwd: source, stdio: 'pipe' });
  const name = readdirSync(output).find((file) => file.endsWith('.tgz'))!;
  print(`tarball: ${name}`);
  return name;
}

/** Builds executables, or takes those that were built elsewhere; returns their names. */
function executables(source: string, options: ReleaseOptions): string[] {
  const { version, output, built, executables: wanted, print } = options;
  const names: string[] = [];
  const elsewhere = built === undefined ? [] : readdirSync(built);
  for (const platform of PLATFORMS) {
    const name = `keelson-${version}-${platform.name}${platform.system === 'win32' ? '.exe' : ''}`;
    if (elsewhere.includes(name)) cpSync(join(built!, name), join(output, name));
    else if (wanted !== undefined && !wanted.includes(platform.name)) continue;
    else if (!buildFor(platform, source, join(output, name))) {
      const reason = `no package of npm has Node ${process.versions.node} for it`;
      print(`executable: ${name} is left to the workflow, because ${reason}`);
      continue;
    }
    chmodSync(join(output, name), 0o755);
    print(`executable: ${name}${platform.system === 'darwin' && built === undefined ? ', to be signed on macOS' : ''}`);
    names.push(name);
  }
  return names;
}

function buildFor(platform: Platform, source: string, path: string): boolean {
  const folder = join(source, 'build', platform.name);
  const node = nodeFor(platform, folder);
  if (node === undefined) return false;
  const argv = [join(source, 'scripts/executable.ts'), '--as-built', '--node', node, '--output', path];
  execFileSync(process.execPath, argv, { cwd: source, stdio: ['ignore', 'pipe', 'inherit'] });
  return true;
}

function factsOf(source: string): Pick<ReleaseFacts, 'description' | 'license' | 'repository'> {
  const { description, license, repository } = readPackage(source);
  const url = repository?.url ?? 'https://github.com/OWNER/keelson';
  return { description, license, repository: url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

function writeInstallers(facts: ReleaseFacts, { output, print }: ReleaseOptions): void {
  writeFileSync(join(output, 'keelson.rb'), homebrewFormula(facts));
  const manifest = scoopManifest(facts);
  if (manifest !== undefined) writeFileSync(join(output, 'keelson.json'), manifest);
  print(`installers: keelson.rb for Homebrew${manifest === undefined ? '' : ', keelson.json for Scoop'}`);
}

/** `owner/name` is one of GitHub. */
function repositoryOf(given: string | undefined): string | undefined {
  return given === undefined || given.includes('://') ? given : `https://github.com/${given}`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      'dry-run': { type: 'boolean' },
      tagged: { type: 'boolean' },
      image: { type: 'boolean' },
      'ci-passed': { type: 'boolean' },
      repository: { type: 'string' },
      output: { type: 'string' },
      executables: { type: 'string' },
      built: { type: 'string' },
    },
  });
  const [version = ''] = positionals;
  try {
    release({
      root,
      version,
      output: resolve(values.output ?? join(root, 'build/release')),
      repository: repositoryOf(values.repository),
      date: new Date().toISOString().slice(0, 10),
      ...{ dryRun: values['dry-run'], ciPassed: values['ci-passed'], tagged: values.tagged, image: values.image },
      executables: values.executables?.split(',').filter((name) => name !== ''),
      built: values.built,
      print: (line) => console.log(line),
    });
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
