// Files of a release by which package managers install it: a formula for Homebrew, a manifest for Scoop, checksums.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file of the release. */
export interface Artifact {
  readonly name: string;
  readonly sha256: string;
}

export interface ReleaseFacts {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Where the source is: `https://github.com/owner/name`. */
  readonly repository: string;
  readonly artifacts: readonly Artifact[];
}

/** Returns a file of the release with its checksum. */
export function artifact(name: string, path: string): Artifact {
  return { name, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

/** What `sha256sum --check` reads. */
export function checksums(artifacts: readonly Artifact[]): string {
  return artifacts.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
}

function address({ repository, version }: ReleaseFacts, { name }: Artifact): string {
  return `${repository}/releases/download/v${version}/${name}`;
}

/** A formula for Homebrew, which installs the package with Homebrew's Node: programs need no signature then. */
export function homebrewFormula(facts: ReleaseFacts): string {
  const tarball = facts.artifacts.find(({ name }) => name.endsWith('.tgz'))!;
  return `class Keelson < Formula
  desc ${JSON.stringify(sentence(facts.description))}
  homepage ${JSON.stringify(facts.repository)}
  url ${JSON.stringify(address(facts, tarball))}
  sha256 "${tarball.sha256}"
  license "${facts.license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/keelson version")
  end
end
`;
}

/** Homebrew wants a description of at most 80 characters that ends without a full stop. */
function sentence(description: string): string {
  const first = description.split(/[:.]/)[0]!;
  return first.replace(/^(?:The|A|An) /, '').slice(0, 80);
}

/** A manifest for Scoop, which installs an executable; undefined if the release has none for Windows. */
export function scoopManifest(facts: ReleaseFacts): string | undefined {
  const windows = [
    ['64bit', 'windows-x64'],
    ['arm64', 'windows-arm64'],
  ] as const;
  const architecture: Record<string, object> = {};
  for (const [scoop, platform] of windows) {
    const found = facts.artifacts.find(({ name }) => name.includes(platform));
    if (found === undefined) continue;
    architecture[scoop] = { url: `${address(facts, found)}#/keelson.exe`, hash: found.sha256 };
  }
  if (Object.keys(architecture).length === 0) return undefined;
  const { version, description, repository, license } = facts;
  const manifest = {
    ...{ version, description, homepage: repository, license, architecture, bin: 'keelson.exe' },
    checkver: { github: repository },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
