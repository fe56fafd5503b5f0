// `npm run build:executable`: the program and Node in one file, build/keelson, for machines without Node. The file
// contains the output of `npm run build` and bundled dependencies; scripts/executable-main.cjs extracts it at start-up.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram } from './build-program.ts';
import { writeCodeCache } from './code-cache.ts';

/** The extracted files by relative path, with slashes. */
async function layOut(root: string, folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  await buildProgram({ root, withDependencies: true }, dist);
  cpSync(join(root, 'dist/console'), join(dist, 'console'), { recursive: true });
  cpSync(join(root, 'dist/type-descriptions.txt'), join(dist, 'type-descriptions.txt'));
  for (const file of ['package.json', 'LICENSE', 'NOTICE']) cpSync(join(root, file), join(folder, file));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** An executable for another machine than this one. */
export interface ExecutableOptions {
  /** The Node in the executable, perhaps of another platform: of the same version as the one that runs. */
  readonly node?: string | undefined;
  readonly output?: string | undefined;
}

/** Builds the executable and returns its path. @throws Error with Node's message on failure */
export async function buildExecutable(root: string, folder: string, options: ExecutableOptions = {}): Promise<string> {
  const content = join(folder, 'content');
  rmSync(content, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  await layOut(root, content);
  // Another platform's Node refuses it.
  if (options.node === undefined && !writeCodeCache(join(content, 'dist')))
    throw new Error('the program failed its warm-up');
  const files = filesIn(content);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(content, file)));
  const list = join(folder, 'list.json');
  writeFileSync(list, JSON.stringify({ id: hash.digest('hex').slice(0, 24), files }));
  const output = options.output ?? join(folder, process.platform === 'win32' ? 'keelson.exe' : 'keelson');
  const assets = Object.fromEntries(files.map((file) => [file, join(content, file)]));
  const configuration = join(folder, 'executable.json');
  writeFileSync(
    configuration,
    JSON.stringify({
      main: join(root, 'scripts/executable-main.cjs'),
      output,
      ...(options.node !== undefined && { executable: options.node }),
      disableExperimentalSEAWarning: true,
      assets: { ...assets, '': list },
    }),
  );
  const { status, stderr } = spawnSync(process.execPath, ['--build-sea', configuration], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return output;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const { values } = parseArgs({
    options: { node: { type: 'string' }, output: { type: 'string' }, 'as-built': { type: 'boolean' } },
  });
  const build = [join(root, 'scripts/build.ts')];
  const { status } = values['as-built'] ? { status: 0 } : spawnSync(process.execPath, build, { stdio: 'inherit' });
  if (status === 0) console.log(await buildExecutable(root, join(root, 'build'), values));
  process.exitCode = status ?? 1;
}
