// The folders of `keelson setup-envtest`, one for each version and platform, laid out as setup-envtest does:
// k8s/1.34.4-linux-amd64 below the folder of them all.

import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lookup } from '../../base/lookup.ts';
import { compareVersions, type Version, type VersionSelector, versionText } from './version-selector.ts';

/** In Go's words; `*` for any. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

export interface Assets {
  readonly version: Version;
  readonly platform: Platform;
}

const ARCHITECTURES: Readonly<Record<string, string>> = lookup({ x64: 'amd64', ia32: '386', ppc64: 'ppc64le' });

/** A platform in Go's words, from Node's. */
export function goPlatform({ platform, arch }: { readonly platform: string; readonly arch: string }): Platform {
  return { os: platform === 'win32' ? 'windows' : platform, arch: ARCHITECTURES[arch] ?? arch };
}

/** `linux/amd64` */
export function platformText({ os, arch }: Platform): string {
  return `${os}/${arch}`;
}

/** Whether a platform may stand for several. */
export function isWildcard({ os, arch }: Platform): boolean {
  return os === '*' || arch === '*';
}

/** Whether a platform is the other, or one that the other stands for. */
export function isPlatform(platform: Platform, selected: Platform): boolean {
  return [platform.os, '*'].includes(selected.os) && [platform.arch, '*'].includes(selected.arch);
}

/** The assets in the name of a folder; undefined if it has another form. */
export function assetsIn(path: string): Assets | undefined {
  const [, version = '', os = '', arch = ''] = /^((?:\d+\.){2}\d+)-(\w+)-(\w+)$/.exec(basename(path)) ?? [];
  if (version === '') return undefined;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return { version: { major, minor, patch }, platform: { os, arch } };
}

export class AssetStore {
  readonly #folder: string;

  /** @param folder the folder of all, an absolute path */
  constructor(folder: string) {
    this.#folder = join(folder, 'k8s');
  }

  /** The folder of assets, which need not exist. */
  pathOf({ version, platform }: Assets): string {
    return join(this.#folder, `${versionText(version)}-${platform.os}-${platform.arch}`);
  }

  has(assets: Assets): boolean {
    return existsSync(this.pathOf(assets));
  }

  /** What is on disk, the newest version first. */
  list(selector: VersionSelector, platform: Platform): Assets[] {
    if (!existsSync(this.#folder)) return [];
    const found = readdirSync(this.#folder, { withFileTypes: true }).flatMap((entry) => {
      const assets = entry.isDirectory() ? assetsIn(entry.name) : undefined;
      return assets === undefined ? [] : [assets];
    });
    return found
      .filter((each) => selector.selects(each.version) && isPlatform(each.platform, platform))
      .sort((one, other) => compareVersions(other.version, one.version) || comparePlatforms(one, other));
  }

  /** setup-envtest takes away the permission to write into a folder. */
  remove(assets: Assets): void {
    const path = this.pathOf(assets);
    if (!existsSync(path)) return;
    chmodSync(path, 0o755);
    rmSync(path, { recursive: true });
  }
}

function comparePlatforms(one: Assets, other: Assets): number {
  return platformText(one.platform) < platformText(other.platform) ? -1 : 1;
}
