// `keelson setup-envtest`: stands in for setup-envtest in Makefiles, with Keelson as the kube-apiserver of every release.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemFault } from '../../server/files.ts';
import { unknownRelease, versionLine } from '../../server/options.ts';
import type { CommandProcess } from '../command-process.ts';
import { suggestion } from '../suggestion.ts';
import { AssetStore, type Assets, assetsIn, goPlatform, isPlatform, isWildcard, platformText } from './asset-store.ts';
import { type AssetsEnvironment, isOwnFolder, ownEnvironment, platformProblem, writePrograms } from './programs.ts';
import { serverFlags } from './server-flags.ts';
import { parseSetup, SetupError, type SetupOptions, setupUsage } from './setup-flags.ts';
import { unpackInto } from './sideload.ts';
import { SERVED_VERSIONS, type Version, versionText } from './version-selector.ts';

/** The process as needed here. */
type Terminal = Pick<CommandProcess, 'out' | 'err' | 'env'>;

/** What the command finds around it. */
interface Surroundings {
  readonly environment?: AssetsEnvironment;
  /** Standard input: the archive that is sideloaded. */
  readonly input?: AsyncIterable<Uint8Array>;
}

/** Runs the command; returns the exit status: 2 if what is selected is not there, as of setup-envtest. */
export async function setupEnvtest(
  argv: readonly string[],
  command: Terminal,
  { environment = ownEnvironment(), input = process.stdin }: Surroundings = {},
): Promise<number> {
  try {
    const problem = platformProblem(environment.platform);
    const options = parseSetup(argv, command.env ?? {}, goPlatform(environment));
    if (options === 'help') {
      command.out(setupUsage);
      return 0;
    }
    if (problem !== undefined) throw new SetupError(problem, 1);
    await new Setup(options, command, environment).run(input);
    return 0;
  } catch (error) {
    if (error instanceof SetupError) {
      command.err(`keelson: ${error.message}; see 'keelson setup-envtest --help'\n`);
      return error.status;
    }
    const fault = systemFault(error);
    command.err(`keelson: ${fault}${fault.includes('/') ? '; choose another folder with --bin-dir' : ''}\n`);
    return 2;
  }
}

/** Programs that envtest looks for. */
const PROGRAMS = ['kube-apiserver', 'etcd', 'kubectl'];

/** The operating systems whose envtest starts scripts, and their architectures. */
const PLATFORMS = ['darwin/amd64', 'darwin/arm64', 'linux/amd64', 'linux/arm64', 'linux/ppc64le', 'linux/s390x'];

class Setup {
  readonly #options: SetupOptions;
  readonly #terminal: Terminal;
  readonly #environment: AssetsEnvironment;
  readonly #store: AssetStore;

  constructor(options: SetupOptions, terminal: Terminal, environment: AssetsEnvironment) {
    this.#options = options;
    this.#terminal = terminal;
    this.#environment = environment;
    this.#store = new AssetStore(options.binDir);
  }

  async run(input: AsyncIterable<Uint8Array>): Promise<void> {
    const { action } = this.#options;
    if (action === 'use') this.#use();
    else if (action === 'list') this.#list();
    else if (action === 'cleanup') this.#cleanUp();
    else if (action === 'sideload') await this.#sideload(input);
    else if (action === 'version') this.#terminal.out(`setup-envtest version: ${versionLine}\n`);
    else {
      const meant = suggestion(action, ['cleanup', 'list', 'sideload', 'use', 'version']);
      throw new SetupError(`setup-envtest has no command ${JSON.stringify(action)}${meant}`);
    }
  }

  #use(): void {
    const { useEnv, installedOnly, selector } = this.#options;
    const given = this.#terminal.env?.['KUBEBUILDER_ASSETS'] ?? '';
    if (useEnv && given !== '' && this.#printGiven(given)) return;
    this.#printAssets(installedOnly || selector.onDisk === true ? this.#installed() : this.#made());
  }

  /** Prints a folder that somebody else has chosen; returns whether it has, or is named like one with, programs. */
  #printGiven(path: string): boolean {
    const named = assetsIn(path);
    if (named !== undefined) this.#print(versionText(named.version), platformText(named.platform), path);
    else if (PROGRAMS.every((program) => existsSync(join(path, program)))) this.#print('*', '*/*', path);
    else return false;
    return true;
  }

  /** The newest on disk. */
  #installed(): Assets {
    const { selector, platform, binDir } = this.#options;
    const [newest] = this.#store.list(selector, platform);
    if (newest !== undefined) return newest;
    throw new SetupError(`no version ${selector.text} for ${platformText(platform)} is installed in ${binDir}`);
  }

  #made(): Assets {
    const { platform, force } = this.#options;
    if (isWildcard(platform)) throw new SetupError("use needs one platform: --os and --arch cannot be '*'");
    const exact = this.#options.selector.exact;
    if (exact !== undefined && !force && this.#store.has({ version: exact, platform })) {
      return this.#refreshed({ version: exact, platform });
    }
    const [onDisk] = this.#store.list(this.#options.selector, platform);
    // A version that was sideloaded, and that Keelson is not.
    if (
      exact === undefined &&
      !force &&
      onDisk !== undefined &&
      !SERVED_VERSIONS.some(this.#options.selector.selects)
    ) {
      return this.#refreshed(onDisk);
    }
    const version = this.#served();
    const served = PLATFORMS.some((each) => each === platformText(platform));
    if (!served && platformText(platform) !== platformText(goPlatform(this.#environment))) {
      throw new SetupError(`there are no programs for ${platformText(platform)}`);
    }
    return this.#refreshed({ version, platform });
  }

  /** The newest that Keelson can be; another patch release for an exact version, because the API is the same. */
  #served(): Version {
    const { selector } = this.#options;
    const found = SERVED_VERSIONS.find(selector.selects);
    if (found !== undefined) return found;
    const { exact } = selector;
    const near = SERVED_VERSIONS.find(({ major, minor }) => major === exact?.major && minor === exact.minor);
    if (near === undefined) throw new SetupError(unknownRelease(selector.text));
    this.#warn(`Keelson is ${versionText(near)}, which is used for ${selector.text}`);
    return near;
  }

  /** Writes what is missing, or refers to a Keelson that has moved. Other programs stay. */
  #refreshed(assets: Assets): Assets {
    const path = this.#store.pathOf(assets);
    const isOwn = isOwnFolder(path);
    if (!isOwn && !this.#options.force) {
      this.#warn(`the programs in ${path} are not Keelson's; --force replaces them`);
      return assets;
    }
    if (!isOwn) this.#store.remove(assets);
    const { controllers, nodes } = this.#options;
    const flags = serverFlags({ minor: assets.version.minor, controllers, nodes });
    const warning = writePrograms(path, flags, this.#environment);
    if (warning !== undefined) this.#warn(warning);
    return assets;
  }

  #list(): void {
    const { selector, platform, installedOnly } = this.#options;
    const installed = this.#store.list(selector, platform).map((assets) => lineOf('(installed)', assets));
    const own = platformText(goPlatform(this.#environment));
    const platforms = [...new Set([...PLATFORMS, own])].toSorted().map((each) => {
      const [os = '', arch = ''] = each.split('/');
      return { os, arch };
    });
    const available = SERVED_VERSIONS.filter(selector.selects).flatMap((version) =>
      platforms
        .filter((each) => isPlatform(each, platform))
        .map((each) => lineOf('(available)', { version, platform: each })),
    );
    const lines = installedOnly || selector.onDisk === true ? installed : [...installed, ...available];
    const width = Math.max(...lines.map(([, version]) => version.length)) + COLUMN_GAP;
    for (const [state, version, shown] of lines) {
      this.#terminal.out(`${state.padEnd(STATE_WIDTH)}${version.padEnd(width)}${shown}\n`);
    }
  }

  #cleanUp(): void {
    const { selector, platform } = this.#options;
    for (const assets of this.#store.list(selector, platform)) {
      this.#store.remove(assets);
      this.#terminal.out(`removed ${versionText(assets.version)} (${platformText(assets.platform)})\n`);
    }
  }

  async #sideload(input: AsyncIterable<Uint8Array>): Promise<void> {
    const { selector, platform } = this.#options;
    if (selector.exact === undefined || isWildcard(platform)) {
      throw new SetupError("sideload needs one version and platform, as in 'sideload 1.34.1'");
    }
    const assets = { version: selector.exact, platform };
    this.#store.remove(assets);
    try {
      await unpackInto(this.#store.pathOf(assets), input);
    } catch (error) {
      this.#store.remove(assets);
      throw error;
    }
    this.#printAssets(assets);
  }

  #printAssets(assets: Assets): void {
    this.#print(versionText(assets.version), platformText(assets.platform), this.#store.pathOf(assets));
  }

  /** In setup-envtest's formats: the path alone does not end a line. */
  #print(version: string, platform: string, path: string): void {
    const { print } = this.#options;
    const overview = `Version: ${version}\nOS/Arch: ${platform}\nPath: ${path}\n`;
    const environment = `export KUBEBUILDER_ASSETS='${path.replaceAll("'", `'"'"'`)}'\n`;
    this.#terminal.out(print === 'path' ? path : print === 'env' ? environment : overview);
  }

  #warn(text: string): void {
    this.#terminal.err(`keelson: ${text}\n`);
  }
}

const COLUMN_GAP = 2;
const STATE_WIDTH = '(installed)'.length + COLUMN_GAP;

function lineOf(state: string, { version, platform }: Assets): [state: string, version: string, platform: string] {
  return [state, `v${versionText(version)}`, platformText(platform)];
}
