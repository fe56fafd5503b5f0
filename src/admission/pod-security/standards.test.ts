import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../api/object.ts';
import { checkedPod } from './check.ts';
import type { Level } from './policy.ts';
import { violations } from './standards.ts';

const LATEST = Number.POSITIVE_INFINITY;

interface Asked {
  readonly minor?: number;
  readonly annotations?: Record<string, string>;
  readonly trusts?: boolean;
  readonly release?: number;
}

/** What a level says of a pod, as `reason (detail)`. */
function told(level: Level, spec: JsonObject, asked: Asked = {}) {
  const { minor = LATEST, annotations = {}, trusts = false, release } = asked;
  const pod = checkedPod({ metadata: { annotations }, spec }, { trustsUserNamespaces: trusts, minor: release });
  return violations({ level, minor }, pod).map(({ reason, detail }) => `${reason} (${detail})`);
}

function container(name: string, securityContext?: JsonObject, more: JsonObject = {}): JsonObject {
  return securityContext === undefined ? { name, ...more } : { name, securityContext, ...more };
}

const app = container('app');
const MEEK = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

type Case = readonly [title: string, spec: JsonObject, expected: string[], asked?: Asked];

const baseline: readonly Case[] = [
  ['a pod without security fields', { containers: [app] }, []],
  [
    'hostNetwork, hostPID and hostIPC',
    { containers: [app], hostIPC: true, hostPID: true, hostNetwork: true },
    ['host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)'],
  ],
  [
    'privileged containers of all kinds, init containers first',
    {
      containers: [container('b', { privileged: true })],
      initContainers: [container('z', { privileged: true })],
      ephemeralContainers: [container('a', { privileged: true })],
    },
    ['privileged (containers "z", "b", "a" must not set securityContext.privileged=true)'],
  ],
  [
    'capabilities, sorted and without duplicates',
    {
      containers: [
        container('a', { capabilities: { add: ['SYS_TIME', 'CHOWN', 'NET_RAW'] } }),
        container('b', { capabilities: { add: ['NET_RAW'] } }),
      ],
    },
    [
      'non-default capabilities (containers "a", "b" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add)',
    ],
  ],
  [
    'hostPath volumes',
    {
      containers: [app],
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', emptyDir: {} },
      ],
    },
    ['hostPath volumes (volume "v")'],
  ],
  [
    'host ports, sorted as text',
    { containers: [container('a', undefined, { ports: [{ hostPort: 90 }, { hostPort: 8080 }, { hostPort: 0 }] })] },
    ['hostPort (container "a" uses hostPorts 8080, 90)'],
  ],
  [
    'the same host port in two containers',
    {
      containers: ['a', 'b'].map((name) => container(name, undefined, { ports: [{ hostPort: 80 }] })),
    },
    ['hostPort (containers "a", "b" use hostPort 80)'],
  ],
  [
    'hosts of probes and lifecycle handlers, with sorted containers',
    {
      containers: [
        container('b', undefined, { livenessProbe: { httpGet: { host: '10.0.0.2' }, tcpSocket: {} } }),
        container('a', undefined, { lifecycle: { preStop: { tcpSocket: { host: '10.0.0.1' } } } }),
      ],
    },
    ['probe or lifecycle host (containers "a", "b" use probe or lifecycle hosts "10.0.0.1", "10.0.0.2")'],
  ],
  [
    'hosts of probes as of v1.33',
    { containers: [container('a', undefined, { startupProbe: { httpGet: { host: 'h' } } })] },
    [],
    { minor: 33 },
  ],
  [
    'an unmasked procMount',
    { containers: [container('a', { procMount: 'Unmasked' }), container('b', { procMount: 'Default' })] },
    ['procMount (container "a" must not set securityContext.procMount to "Unmasked")'],
  ],
  [
    'an unmasked procMount with hostUsers false',
    { containers: [container('a', { procMount: 'Unmasked' })], hostUsers: false },
    [],
    { trusts: true },
  ],
  [
    'an unconfined AppArmor profile in a field',
    {
      containers: [container('a', { appArmorProfile: { type: 'Unconfined' } })],
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
    },
    ['forbidden AppArmor profile (pod and container "a" must not set AppArmor profile type to "Unconfined")'],
  ],
  [
    'an unconfined AppArmor profile in a field and an annotation',
    { containers: [container('a', { appArmorProfile: { type: 'Unconfined' } })] },
    [
      'forbidden AppArmor profiles (container "a" and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/a="unconfined"")',
    ],
    { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' } },
  ],
  [
    'allowed AppArmor profiles',
    { containers: [container('a', { appArmorProfile: { type: 'Localhost' } })] },
    [],
    { annotations: { 'container.apparmor.security.beta.kubernetes.io/a': 'localhost/x' } },
  ],
  [
    'forbidden SELinux type, user and role',
    {
      containers: [
        container('a', { seLinuxOptions: { type: 'spc_t', user: 'u' } }),
        container('b', { seLinuxOptions: { type: 'container_engine_t', level: 's0' } }),
      ],
      securityContext: { seLinuxOptions: { role: 'r', type: 'bad_t' } },
    },
    [
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: types "bad_t", "spc_t"; user may not be set; role may not be set)',
    ],
  ],
  [
    'the SELinux type of container engines as of v1.30',
    { containers: [app], securityContext: { seLinuxOptions: { type: 'container_engine_t' } } },
    ['seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")'],
    { minor: 30 },
  ],
  [
    'an unconfined seccomp profile',
    {
      containers: [container('a', { seccompProfile: { type: 'Unconfined' } }), container('b', { seccompProfile: {} })],
    },
    ['seccompProfile (containers "a", "b" must not set securityContext.seccompProfile.type to "", "Unconfined")'],
  ],
  [
    'an unconfined seccomp annotation as of v1.18',
    { containers: [app] },
    [
      'seccompProfile (forbidden annotations container.seccomp.security.alpha.kubernetes.io/app="x", seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    ],
    {
      minor: 18,
      annotations: {
        'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
        'container.seccomp.security.alpha.kubernetes.io/app': 'x',
        'container.seccomp.security.alpha.kubernetes.io/other': 'x',
      },
    },
  ],
  [
    'forbidden sysctls, in their order',
    {
      containers: [app],
      securityContext: { sysctls: [{ name: 'z.y' }, { name: 'net.ipv4.tcp_rmem' }, { name: 'kernel.msgmax' }] },
    },
    ['forbidden sysctls (z.y, kernel.msgmax)'],
  ],
  [
    'hostProcess containers of Windows',
    {
      containers: [container('a', { windowsOptions: { hostProcess: true } })],
      securityContext: { windowsOptions: { hostProcess: true } },
    },
    ['hostProcess (pod and container "a" must not set securityContext.windowsOptions.hostProcess=true)'],
  ],
];

const restricted: readonly Case[] = [
  ['a pod with all restrictions', { containers: [container('a', MEEK)] }, []],
  [
    'a pod without security fields',
    { containers: [app] },
    [
      'allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ],
  [
    'capabilities that violate baseline, too, reported once',
    { containers: [container('a', { ...MEEK, capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } })] },
    [
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
  ],
  [
    'volumes that violate baseline, too, reported once',
    {
      containers: [container('a', MEEK)],
      volumes: [{ name: 'v', nfs: {} }, { name: 'w', hostPath: {} }, { name: 'x', secret: {} }, { name: 'y' }],
    },
    ['restricted volume types (volumes "v", "w", "y" use restricted volume types "hostPath", "nfs", "unknown")'],
  ],
  [
    'a single restricted volume',
    { containers: [container('a', MEEK)], volumes: [{ name: 'v', rbd: {} }] },
    ['restricted volume types (volume "v" uses restricted volume type "rbd")'],
  ],
  [
    'runAsNonRoot false and runAsUser 0',
    {
      containers: [container('a', { ...MEEK, runAsNonRoot: false, runAsUser: 0 }), container('b', MEEK)],
      securityContext: { runAsUser: 0, runAsNonRoot: false },
    },
    [
      'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)',
      'runAsUser=0 (pod and container "a" must not set runAsUser=0)',
    ],
  ],
  [
    'runAsUser 0 with hostUsers false',
    { containers: [container('a', { ...MEEK, runAsNonRoot: false, runAsUser: 0 })], hostUsers: false },
    [],
    { trusts: true },
  ],
  [
    'hostUsers false with the relaxation off',
    { containers: [container('a', { ...MEEK, runAsUser: 0 })], hostUsers: false },
    ['runAsUser=0 (container "a" must not set runAsUser=0)'],
  ],
  [
    'fields of the pod that apply to its containers',
    {
      containers: [container('a', { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })],
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost' } },
    },
    [],
  ],
  [
    'seccomp unconfined in one container, and missing in another',
    {
      containers: [
        container('a', { ...MEEK, seccompProfile: { type: 'Unconfined' } }),
        container('b', { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true }),
      ],
    },
    ['seccompProfile (container "a" must not set securityContext.seccompProfile.type to "Unconfined")'],
  ],
  ['Windows', { containers: [container('a', { runAsNonRoot: true })], os: { name: 'windows' } }, []],
  [
    'a Windows pod as of v1.24',
    { containers: [container('a', { runAsNonRoot: true })], os: { name: 'windows' } },
    [
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"])',
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    { minor: 24 },
  ],
  [
    'a pod without security fields as of v1.0',
    { containers: [container('a', { capabilities: { add: ['SYS_TIME'] } })] },
    [
      'non-default capabilities (container "a" must not include "SYS_TIME" in securityContext.capabilities.add)',
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
    ],
    { minor: 0 },
  ],
];

describe('Pod Security Standards', () => {
  for (const [title, spec, expected, asked] of baseline) {
    it(`the Pod Security Standard baseline judges ${title}`, () =>
      assert.deepEqual(told('baseline', spec, asked), expected));
  }
  for (const [title, spec, expected, asked] of restricted) {
    it(`the Pod Security Standard restricted judges ${title}`, () =>
      assert.deepEqual(told('restricted', spec, asked), expected));
  }

  it('the level privileged allows everything', () => {
    assert.deepEqual(told('privileged', { containers: [container('a', { privileged: true })], hostPID: true }), []);
  });

  it('the level restricted includes baseline, whose violations are reported first', () => {
    const reasons = told('restricted', { containers: [app], hostPID: true }).map((each) => each.split(' (')[0]);
    assert.deepEqual(reasons, [
      'host namespaces',
      'allowPrivilegeEscalation != false',
      'unrestricted capabilities',
      'runAsNonRoot != true',
      'seccompProfile',
    ]);
  });

  it('the level baseline allows a sysctl from the version on that considers it safe', () => {
    const since: Record<string, number> = {
      'net.ipv4.tcp_syncookies': 0,
      'net.ipv4.ip_local_reserved_ports': 27,
      'net.ipv4.tcp_keepalive_probes': 29,
      'net.ipv4.tcp_wmem': 32,
      'net.ipv4.tcp_notsent_lowat': 37,
    };
    for (const [name, first] of Object.entries(since)) {
      const isTaken = (minor: number) =>
        told('baseline', { containers: [app], securityContext: { sysctls: [{ name }] } }, { minor, release: 37 })
          .length === 0;
      assert.equal(isTaken(first), true, name);
      if (first > 0) assert.equal(isTaken(first - 1), false, name);
    }
  });

  it('both levels trust pods with hostUsers false from 1.35 on, except restricted with an unmasked procMount', () => {
    const spec = {
      containers: [container('a', { ...MEEK, runAsNonRoot: false, runAsUser: 0, procMount: 'Unmasked' })],
      ...{ hostUsers: false, securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
    };
    const reasons = (level: Level, asked: Asked) => told(level, spec, asked).map((each) => each.split(' (')[0]);
    assert.deepEqual(reasons('baseline', { release: 37 }), []);
    assert.deepEqual(reasons('restricted', { release: 37 }), ['procMount']);
    assert.deepEqual(reasons('baseline', { release: 37, minor: 34 }), ['procMount']);
    const all = ['procMount', 'runAsNonRoot != true', 'runAsUser=0'];
    assert.deepEqual(reasons('restricted', { release: 37, minor: 34 }), all);
    assert.deepEqual(reasons('restricted', { release: 34, minor: 37 }), all);
  });
});
