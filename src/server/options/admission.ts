// Options of admission: enabled plugins and their configuration.

import { enabledPlugins, isPluginName, type PluginName } from '../../admission/plugin-names.ts';
import { goQuote } from '../../base/go-quote.ts';

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

/** The enabled plugins. */
export function chosenPlugins(options: Omit<AdmissionOptions, 'admissionControlConfigFile'>): ReadonlySet<PluginName> {
  return enabledPlugins({
    enable: options.enableAdmissionPlugins,
    disable: options.disableAdmissionPlugins,
    only: options.admissionControl,
  });
}

/** All errors in them, in kube-apiserver's words. */
export function admissionProblems(options: AdmissionOptions): string[] {
  const { admissionControl: only, enableAdmissionPlugins: enable, disableAdmissionPlugins: disable } = options;
  const problems: string[] = [];
  if (only.length > 0 && enable.length + disable.length > 0) {
    problems.push(
      'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
    );
  }
  problems.push(
    ...unknown('admission-control', only),
    ...unknown('enable-admission-plugins', enable),
    ...unknown('disable-admission-plugins', disable),
  );
  const both = [...new Set(enable)].filter((name) => disable.includes(name)).sort();
  if (both.length > 0) {
    problems.push(`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`);
  }
  return problems;
}

function unknown(flag: string, names: readonly string[]): string[] {
  return names.filter((name) => !isPluginName(name)).map((name) => `${flag} plugin ${goQuote(name)} is unknown`);
}
