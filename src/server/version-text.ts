// The output of --version: a server's release, and nothing is started.

import { parseKubernetesVersion, type ReleaseOptions } from '../lifecycle/emulated-version.ts';
import { emulationOf, gitVersionOf, versionDocument } from '../lifecycle/version.ts';
import { runtimeFacts } from './process-facts.ts';

/**
 * The release that the options name, whatever it emulates.
 *
 * @param isRaw whether the text contains all facts about the release, formatted as a Go struct
 * @throws EmulatedVersionError for a release that is not known
 */
export function versionText({ kubernetesVersion }: Pick<ReleaseOptions, 'kubernetesVersion'>, isRaw: boolean): string {
  const release = parseKubernetesVersion(kubernetesVersion);
  if (!isRaw) return `Kubernetes ${gitVersionOf(release)}`;
  const members = Object.entries(versionDocument(runtimeFacts(), emulationOf(release.minor, release)));
  const text = members.map(([name, value]) => `${name[0]!.toUpperCase()}${name.slice(1)}:${JSON.stringify(value)}`);
  return `version.Info{${text.join(', ')}}`;
}
