// Published types without a resource: a patch, and the response of /version.

import { string, struct } from '../../schema/build.ts';

/** A patch of any type: its content depends on its media type. */
export const Patch = struct('meta/v1.Patch', () => ({}));

export const VersionInfo = struct('version.Info', () => ({
  major: string(0).required(),
  minor: string(0).required(),
  emulationMajor: string(0).since(33),
  emulationMinor: string(0).since(33),
  minCompatibilityMajor: string(0).since(33),
  minCompatibilityMinor: string(0).since(33),
  gitVersion: string(0).required(),
  gitCommit: string(0).required(),
  gitTreeState: string(0).required(),
  buildDate: string(0).required(),
  goVersion: string(0).required(),
  compiler: string(0).required(),
  platform: string(0).required(),
}));
