// Options of API versions: validation of the emulated version, feature gates and --runtime-config, as far as possible
// without the catalog.

import {
  EmulatedVersionError,
  emulatedVersionProblem,
  minCompatibilityProblem,
  type ReleaseOptions,
  requestedRelease,
} from '../../lifecycle/emulated-version.ts';
import { FeatureGateError, FeatureGates } from '../../lifecycle/feature-gates.ts';
import { isCurrent, reportedVersionProblem } from '../../lifecycle/version.ts';

interface ApiOptions extends ReleaseOptions {
  readonly reportedVersion: string;
  readonly runtimeConfig: Readonly<Record<string, string>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly emulationForwardCompatible: boolean;
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  readonly enablePriorityAndFairness: boolean;
}

/**
 * Errors in the emulated version or the gates that prevent parsing them: kube-apiserver then validates nothing else.
 */
export function versionProblem(options: ApiOptions): string | undefined {
  try {
    gatesOf(options);
    return undefined;
  } catch (error) {
    if (!(error instanceof FeatureGateError) && !(error instanceof EmulatedVersionError)) throw error;
    return error.message;
  }
}

/** Errors in the reported and emulated version, if versionProblem finds none. */
export function releaseProblems(options: ApiOptions): string[] {
  const { reportedVersion } = options;
  const release = requestedRelease(options);
  const problem = reportedVersion === '' ? undefined : reportedVersionProblem(reportedVersion, release.binary);
  const outOfRange = [emulatedVersionProblem(release), minCompatibilityProblem(release)];
  return [
    ...(problem === undefined ? [] : [`--version: ${problem}`]),
    ...outOfRange.filter((each) => each !== undefined),
  ];
}

/** Gates that need others, if versionProblem finds no error. */
export function gateProblems(options: ApiOptions): string[] {
  return gatesOf(options).problems();
}

function gatesOf(options: ApiOptions): FeatureGates {
  return new FeatureGates(options.featureGates, requestedRelease(options));
}

/** Priority and fairness needs its own objects. The first of these keys that is set decides. */
export function fairnessConflicts({ enablePriorityAndFairness, runtimeConfig }: ApiOptions): string[] {
  if (!enablePriorityAndFairness) return [];
  for (const key of ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']) {
    if (runtimeConfig[key] === 'true') return [];
    if (runtimeConfig[key] !== 'false') continue;
    return [`--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`];
  }
  return [];
}

/** A server that serves nothing. */
export function enablementProblems({ runtimeConfig }: ApiOptions): string[] {
  const isAlone = Object.keys(runtimeConfig).length === 1 && runtimeConfig['api/all'] === 'false';
  return isAlone ? ['invalid key with only api/all=false'] : [];
}

/** There is nothing newer than the latest version to serve. */
export function forwardProblems(options: ApiOptions): string[] {
  if (!isCurrent(requestedRelease(options))) return [];
  const given = {
    EmulationForwardCompatible: options.emulationForwardCompatible,
    RuntimeConfigEmulationForwardCompatible: options.runtimeConfigEmulationForwardCompatible,
  };
  return Object.entries(given).flatMap(([name, on]) =>
    on
      ? [`ServerRunOptions.${name} cannot be set to true if the emulation version is the same as the binary version`]
      : [],
  );
}
