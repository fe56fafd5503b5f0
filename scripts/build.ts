// `npm run build`: dist/ from src/, for publishing. Node runs no TypeScript inside node_modules, so the package carries
// JavaScript and declarations.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A file named as a string ('./worker.ts') is not rewritten by the compiler, and would be missing from dist/. */
const sourceName = /new URL\(\s*['"][^'"]+\.ts['"]/;

/** Files under `folder` that name a TypeScript file at run time. */
export function filesNamingSource(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.js') && sourceName.test(readFileSync(join(folder, file), 'utf8')));
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  const left = status === 0 ? filesNamingSource(dist) : [];
  for (const file of left) console.log(`dist/${file} names a .ts file in new URL()`);
  process.exitCode = status === 0 && left.length === 0 ? 0 : 1;
}
