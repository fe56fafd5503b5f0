// Installs the package as it is published: built and packed from a copy of the checkout, beside links to its dependencies.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Builds in `checkout` and installs into `user`. Both are new. */
export function installPackage(checkout: string, user: string): void {
  const { files, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const shipped = (files as string[]).filter((file) => file !== 'dist' && !file.startsWith('!'));
  const configurations = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.page.json'];
  const built = ['src', 'scripts', 'package.json', 'package-lock.json', ...configurations];
  for (const path of [...shipped, ...built]) cpSync(join(root, path), join(checkout, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const folder = dirname(checkout);
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: checkout, stdio: 'pipe' });
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const installed = join(user, 'node_modules/keelson');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(dependencies)) {
    const place = join(user, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
}
