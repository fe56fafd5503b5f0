// Admission flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const admissionFlags: readonly Flag[] = [
  {
    name: 'admission-control',
    type: 'strings',
    option: 'admissionControl',
    help: 'Admission plugins to enable, and no others. Deprecated.',
    deprecated:
      'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  },
  {
    name: 'admission-control-config-file',
    type: 'file',
    option: 'admissionControlConfigFile',
    help: 'AdmissionConfiguration file for admission plugins, YAML.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    option: 'defaultNotReadyTolerationSeconds',
    help: 'How long pods stay on a node that is not ready.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    option: 'defaultUnreachableTolerationSeconds',
    help: 'How long pods stay on a node that is not reachable.',
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    option: 'disableAdmissionPlugins',
    help: 'Admission plugins to disable although they are enabled by default.',
  },
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    option: 'enableAdmissionPlugins',
    help: 'Admission plugins to enable in addition to the default ones.',
  },
];
