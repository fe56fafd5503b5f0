// Options of admission: enabled plugins and their configuration.

import { enabledPlugins, isPluginName, type PluginName } from '../../admission/plugin-names.ts';
import { goQuote } from '../../base/go-quote.ts';
import { parseKubernetesVersion, type ReleaseOptions } from '../../lifecycle/emulated-version.ts';

export interface AdmissionOptions {
  /** Plugins enabled in addition to the defaults, and disabled defaults. */
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** If not empty, exactly these plugins are enabled. */
  readonly admissionControl: readonly string[];
  /** YAML file with the configuration of plugins. */
  readonly admissionControlConfigFile: string | undefined;
  /** How long pods stay on nodes that are not ready or unreachable. */
  readonly defaultNotReadyTolerationSeconds: number;
  readonly defaultUnreachableTolerationSeconds: number;
}

export const defaultAdmissionOptions: AdmissionOptions = {
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  admissionControl: [],
  admissionControlConfigFile: undefined,
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 300,
};

/** Which plugins there are depends on the release. */
type PluginOptions = Omit<AdmissionOptions, 'admissionControlConfigFile'> & Pick<ReleaseOptions, 'kubernetesVersion'>;

/** The enabled plugins. */
export function chosenPlugins(options: PluginOptions): ReadonlySet<PluginName> {
  return enabledPlugins({
    minor: parseKubernetesVersion(options.kubernetesVersion).minor,
    enable: options.enableAdmissionPlugins,
    disable: options.disableAdmissionPlugins,
    only: options.admissionControl,
  });
}

/** All errors in them, in kube-apiserver's words. */
export function admissionProblems(options: PluginOptions): string[] {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = options;
  const { minor } = parseKubernetesVersion(options.kubernetesVersion);
  const problems: string[] = [];
  if (only.length > 0 && enable.length + disable.length > 0) {
    problems.push(
      'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
    );
  }
  problems.push(
    ...unknown('admission-control', only, minor),
    ...unknown('enable-admission-plugins', enable, minor),
    ...unknown('disable-admission-plugins', disable, minor),
  );
  const both = [...new Set(enable)].filter((name) => disable.includes(name)).sort();
  if (both.length > 0) {
    problems.push(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  return problems;
}

function unknown(flag: string, names: readonly string[], minor: number): string[] {
  return names.filter((name) => !isPluginName(name, minor)).map((name) => `${flag} plugin ${goQuote(name)} is unknown`);
}
