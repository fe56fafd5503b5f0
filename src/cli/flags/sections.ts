// Sections of the flags of `keelson serve`, in kube-apiserver's order.

import { admissionFlags } from './admission.ts';
import { apiEnablementFlags } from './api-enablement.ts';
import { auditingFlags } from './auditing.ts';
import { authenticationFlags } from './authentication.ts';
import { authorizationFlags } from './authorization.ts';
import { etcdFlags } from './etcd.ts';
import type { Flag } from './flag.ts';
import { genericFlags } from './generic.ts';
import { globalFlags } from './global.ts';
import { keelsonFlags } from './keelson.ts';
import { logsFlags } from './logs.ts';
import { metricsFlags } from './metrics.ts';
import { miscFlags } from './misc.ts';
import { secureServingFlags } from './secure-serving.ts';

export const GLOBAL = 'Global flags';

/** The sections of `--help`, in kube-apiserver's order; Keelson's own flags come last. */
export const flagSections: readonly { title: string; flags: readonly Flag[] }[] = [
  { title: 'Generic flags', flags: genericFlags },
  { title: 'Etcd flags', flags: etcdFlags },
  { title: 'Secure serving flags', flags: secureServingFlags },
  { title: 'Auditing flags', flags: auditingFlags },
  { title: 'Authentication flags', flags: authenticationFlags },
  { title: 'Authorization flags', flags: authorizationFlags },
  { title: 'API enablement flags', flags: apiEnablementFlags },
  { title: 'Admission flags', flags: admissionFlags },
  { title: 'Metrics flags', flags: metricsFlags },
  { title: 'Logs flags', flags: logsFlags },
  { title: 'Misc flags', flags: miscFlags },
  { title: 'Keelson flags', flags: keelsonFlags },
  { title: GLOBAL, flags: globalFlags },
];

export const serveFlags: readonly Flag[] = flagSections.flatMap(({ flags }) => flags);
