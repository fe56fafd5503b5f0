// The Pod Security Standards as a table: the checks of each level in each version of Kubernetes. Levels can be pinned
// to a version, so that a newer server does not reject what an older one accepted.

import {
  addedCapabilities,
  appArmorProfile,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostsOfProbes,
  privileged,
  procMount,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
  sysctls,
  windowsHostProcess,
} from './baseline-checks.ts';
import type { Check, CheckedPod, Violation } from './check.ts';
import type { LevelVersion } from './policy.ts';
import {
  droppedCapabilities,
  privilegeEscalation,
  requiredSeccompProfile,
  runAsNonRoot,
  runAsUser,
  unlessUserNamespace,
  unlessWindows,
  volumeTypes,
} from './restricted-checks.ts';

interface Standard {
  readonly name: string;
  /** A check and the first minor version in which it applies; the oldest first. */
  readonly revisions: readonly (readonly [minor: number, check: Check])[];
  /** The check of baseline that this stricter one supersedes. */
  readonly replaces?: string;
}

const SYSCTLS_1_0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_1_27 = [...SYSCTLS_1_0, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const SYSCTLS_1_37 = [...SYSCTLS_1_32, 'net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat'];
const SE_LINUX_1_0 = ['container_t', 'container_init_t', 'container_kvm_t'];

/** In the order of messages: by Kubernetes' names. */
const BASELINE: readonly Standard[] = [
  { name: 'appArmorProfile', revisions: [[0, appArmorProfile]] },
  { name: 'capabilities_baseline', revisions: [[0, addedCapabilities]] },
  { name: 'hostNamespaces', revisions: [[0, hostNamespaces]] },
  { name: 'hostPathVolumes', revisions: [[0, hostPathVolumes]] },
  { name: 'hostPorts', revisions: [[0, hostPorts]] },
  { name: 'hostProbesAndHostLifecycle', revisions: [[34, hostsOfProbes]] },
  { name: 'privileged', revisions: [[0, privileged]] },
  {
    name: 'procMount',
    revisions: [
      [0, procMount],
      [35, unlessUserNamespace(procMount)],
    ],
  },
  {
    name: 'seLinuxOptions',
    revisions: [
      [0, seLinuxOptions(...SE_LINUX_1_0)],
      [31, seLinuxOptions(...SE_LINUX_1_0, 'container_engine_t')],
    ],
  },
  {
    name: 'seccompProfile_baseline',
    revisions: [
      [0, seccompAnnotations],
      [19, seccompProfile],
    ],
  },
  {
    name: 'sysctls',
    revisions: [
      [0, sysctls(...SYSCTLS_1_0)],
      [27, sysctls(...SYSCTLS_1_27)],
      [29, sysctls(...SYSCTLS_1_29)],
      [32, sysctls(...SYSCTLS_1_32)],
      [37, sysctls(...SYSCTLS_1_37)],
    ],
  },
  { name: 'windowsHostProcess', revisions: [[0, windowsHostProcess]] },
];

const RESTRICTED: readonly Standard[] = [
  {
    name: 'allowPrivilegeEscalation',
    revisions: [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  },
  {
    name: 'capabilities_restricted',
    revisions: [
      [22, droppedCapabilities],
      [25, unlessWindows(droppedCapabilities)],
    ],
    replaces: 'capabilities_baseline',
  },
  { name: 'procMount_restricted', revisions: [[35, procMount]], replaces: 'procMount' },
  { name: 'restrictedVolumes', revisions: [[0, volumeTypes]], replaces: 'hostPathVolumes' },
  {
    name: 'runAsNonRoot',
    revisions: [
      [0, runAsNonRoot],
      [35, unlessUserNamespace(runAsNonRoot)],
    ],
  },
  {
    name: 'runAsUser',
    revisions: [
      [23, runAsUser],
      [35, unlessUserNamespace(runAsUser)],
    ],
  },
  {
    name: 'seccompProfile_restricted',
    revisions: [
      [19, requiredSeccompProfile],
      [25, unlessWindows(requiredSeccompProfile)],
    ],
    replaces: 'seccompProfile_baseline',
  },
];

/** The last minor version in which anything changed. */
const NEWEST = 37;

const checksByMinor = Array.from({ length: NEWEST + 1 }, (_, minor) => ({
  baseline: checksOf(BASELINE, minor),
  restricted: restrictedChecks(minor),
}));

function checksOf(standards: readonly Standard[], minor: number): readonly Check[] {
  return standards.flatMap(({ revisions }) => revisions.findLast(([since]) => since <= minor)?.[1] ?? []);
}

function restrictedChecks(minor: number): readonly Check[] {
  const replaced = new Set<string | undefined>();
  for (const { replaces, revisions } of RESTRICTED) {
    if (revisions.some(([since]) => since <= minor)) replaced.add(replaces);
  }
  const kept = BASELINE.filter(({ name }) => !replaced.has(name));
  return [...checksOf(kept, minor), ...checksOf(RESTRICTED, minor)];
}

/** Violations of a level of a version by a pod, in the order of messages. */
export function violations({ level, minor }: LevelVersion, pod: CheckedPod): Violation[] {
  const checks = level === 'privileged' ? [] : checksByMinor[Math.min(minor, pod.latest, NEWEST)]?.[level];
  const found: Violation[] = [];
  for (const check of checks ?? []) {
    const violation = check(pod);
    if (violation !== undefined) found.push(violation);
  }
  return found;
}
