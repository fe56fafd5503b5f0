// Options of API versions: validation of the emulated version, feature gates and --runtime-config, as far as possible
// without the catalog.

import {
  EmulatedVersionError,
  emulatedVersionProblem,
  parseEmulatedVersion,
} from '../../lifecycle/emulated-version.ts';
import { FeatureGateError, FeatureGates } from '../../lifecycle/feature-gates.ts';
import { type Emulation, isCurrent, reportedVersionProblem } from '../../lifecycle/version.ts';

interface ApiOptions {
  readonly reportedVersion: string;
  readonly runtimeConfig: Readonly<Record<string, string>>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly emulatedVersion: readonly string[];
  readonly emulationForwardCompatible: boolean;
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  readonly enablePriorityAndFairness: boolean;
  readonly requestheaderUidHeaders: readonly string[];
}

/**
 * Errors in the emulated version or the gates that prevent parsing them: kube-apiserver then validates nothing else.
 */
export function versionProblem({ emulatedVersion, featureGates }: ApiOptions): string | undefined {
  try {
    new FeatureGates(featureGates, parseEmulatedVersion(emulatedVersion).minor);
    return undefined;
  } catch (error) {
    if (!(error instanceof FeatureGateError) && !(error instanceof EmulatedVersionError)) throw error;
    return error.message;
  }
}

/** All errors in them, if versionProblem finds none. */
export function apiProblems(options: ApiOptions): string[] {
  const { reportedVersion } = options;
  const problem = reportedVersion === '' ? undefined : reportedVersionProblem(reportedVersion);
  const problems = problem === undefined ? [] : [`--version: ${problem}`];
  const emulation = parseEmulatedVersion(options.emulatedVersion);
  const outOfRange = emulatedVersionProblem(emulation);
  if (outOfRange !== undefined) problems.push(outOfRange);
  const gates = new FeatureGates(options.featureGates, emulation.minor);
  return [
    ...problems,
    ...forwardProblems(options, emulation),
    ...fairnessConflicts(options),
    ...onlyNothing(options),
    ...gates.problems(),
    ...ungated(options, gates),
  ];
}

/** Flags that were set without the gate they need. */
function ungated({ requestheaderUidHeaders }: ApiOptions, gates: FeatureGates): string[] {
  if (requestheaderUidHeaders.length === 0 || gates.enabled('RemoteRequestHeaderUID')) return [];
  return ['--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled'];
}

/** Priority and fairness needs its own objects. The first of these keys that is set decides. */
function fairnessConflicts({ enablePriorityAndFairness, runtimeConfig }: ApiOptions): string[] {
  if (!enablePriorityAndFairness) return [];
  for (const key of ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all']) {
    if (runtimeConfig[key] === 'true') return [];
    if (runtimeConfig[key] !== 'false') continue;
    return [`--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`];
  }
  return [];
}

/** A server that serves nothing. */
function onlyNothing({ runtimeConfig }: ApiOptions): string[] {
  const isAlone = Object.keys(runtimeConfig).length === 1 && runtimeConfig['api/all'] === 'false';
  return isAlone ? ['invalid key with only api/all=false'] : [];
}

/** There is nothing newer than the latest version to serve. */
function forwardProblems(options: ApiOptions, emulation: Emulation): string[] {
  if (!isCurrent(emulation)) return [];
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
