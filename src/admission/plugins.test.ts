import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../api/object.ts';
import { builtinResources } from '../resources/builtin/resources.ts';
import type { AdmissionPlugin, AdmissionRequest } from './chain.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import type { ObjectLookup } from './object-lookup.ts';
import { onlyDefaultClass, priority } from './priority.ts';
import { serviceAccount, validServiceAccount } from './service-account.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

type Stored = Readonly<Record<string, readonly ApiObject[]>>;

/** Objects by the plural name of their kind. */
function lookup(stored: Stored): ObjectLookup {
  const all = (resource: string) => [...(stored[resource] ?? [])];
  return {
    find: async ({ resource }, namespace, name) =>
      all(resource).find(({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace),
    all: async ({ resource }) => all(resource),
  };
}

interface Asked {
  readonly resource?: string;
  readonly operation?: AdmissionRequest['operation'];
  readonly subresource?: string;
  readonly previous?: ApiObject;
}

async function admitted(plugin: AdmissionPlugin, object: ApiObject, asked: Asked = {}): Promise<ApiObject> {
  const { resource = 'pods', operation = 'create', subresource = '', previous } = asked;
  const definition = builtinResources.find((each) => each.resource === resource);
  assert.ok(definition !== undefined);
  const request = { definition, namespace: definition.namespaced ? 'n' : '', name: '', subresource, warnings: [] };
  // Plugins may be asked for more than they need here.
  await plugin.admit({ request, operation, object, previous, dryRun: false } as unknown as AdmissionRequest);
  return object;
}

function pod(spec: JsonObject = {}): ApiObject {
  return { metadata: { name: 'a' }, spec };
}

describe('DefaultTolerationSeconds', () => {
  const forFiveMinutes = (taint: string) => ({
    key: `node.kubernetes.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  });
  const cases: readonly [string, JsonObject[], JsonObject[]][] = [
    [
      'adds tolerations for not-ready and unreachable',
      [],
      [forFiveMinutes('not-ready'), forFiveMinutes('unreachable')],
    ],
    ['adds none to a pod that tolerates everything', [{ operator: 'Exists' }], [{ operator: 'Exists' }]],
    [
      'adds the other one to a pod that tolerates one',
      [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }],
      [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists' }, forFiveMinutes('not-ready')],
    ],
    [
      'adds both to a pod that tolerates NoSchedule only',
      [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
      [
        { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        forFiveMinutes('not-ready'),
        forFiveMinutes('unreachable'),
      ],
    ],
  ];
  for (const [title, tolerations, expected] of cases) {
    it(`DefaultTolerationSeconds ${title}`, async () => {
      const { spec } = await admitted(
        defaultTolerationSeconds({ notReady: 300, unreachable: 300 }),
        pod({ tolerations }),
      );
      assert.deepEqual(spec, { tolerations: expected });
      const again = await admitted(
        defaultTolerationSeconds({ notReady: 300, unreachable: 300 }),
        pod({ tolerations: [...expected] }),
        {
          operation: 'update',
        },
      );
      assert.deepEqual(again.spec, { tolerations: expected });
    });
  }

  it('DefaultTolerationSeconds ignores subresources', async () => {
    assert.deepEqual(
      (await admitted(defaultTolerationSeconds({ notReady: 300, unreachable: 300 }), pod(), { subresource: 'status' }))
        .spec,
      {},
    );
  });
});

describe('TaintNodesByCondition', () => {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const node = (taints?: JsonObject[]): ApiObject => ({ metadata: {}, spec: taints === undefined ? {} : { taints } });

  it('TaintNodesByCondition adds the taint not-ready to new nodes once', async () => {
    const asked = { resource: 'nodes' };
    assert.deepEqual((await admitted(taintNodesByCondition, node(), asked)).spec, { taints: [taint] });
    assert.deepEqual((await admitted(taintNodesByCondition, node([taint]), asked)).spec, { taints: [taint] });
  });

  it('TaintNodesByCondition ignores updates of nodes', async () => {
    const asked: Asked = { resource: 'nodes', operation: 'update' };
    assert.deepEqual((await admitted(taintNodesByCondition, node(), asked)).spec, {});
  });
});

describe('Priority', () => {
  const high = { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' };
  const usual = { metadata: { name: 'usual' }, value: 5, globalDefault: true };
  const plugin = (...classes: ApiObject[]) => priority(lookup({ priorityclasses: classes }), () => false);
  const settled: readonly [string, AdmissionPlugin, JsonObject, JsonObject][] = [
    [
      'sets priority 0 without a default PriorityClass',
      plugin(high),
      {},
      { priority: 0, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'sets the global default PriorityClass',
      plugin(high, usual),
      {},
      { priorityClassName: 'usual', priority: 5, preemptionPolicy: 'PreemptLowerPriority' },
    ],
    [
      'sets the priority of the named PriorityClass',
      plugin(high, usual),
      { priorityClassName: 'high' },
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
    [
      'accepts the computed priority in the pod',
      plugin(high),
      { priorityClassName: 'high', priority: 1000 },
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: 'Never' },
    ],
  ];
  for (const [title, asked, given, expected] of settled) {
    it(`Priority ${title}`, async () => assert.deepEqual((await admitted(asked, pod({ ...given }))).spec, expected));
  }

  const refused: readonly [string, JsonObject, RegExp][] = [
    ['a missing PriorityClass', { priorityClassName: 'gone' }, /no PriorityClass with name gone was found/],
    ['another priority', { priority: 7 }, /the integer value of priority \(7\) must not be provided in pod spec/],
    [
      'another preemption policy',
      { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
      /the string value of PreemptionPolicy \(PreemptLowerPriority\) must not .* computed Never/,
    ],
  ];
  for (const [title, given, message] of refused) {
    it(`Priority rejects ${title}`, () => assert.rejects(admitted(plugin(high), pod(given)), { code: 403, message }));
  }

  it('Priority keeps the priority and preemption policy when an update omits them', async () => {
    const previous = pod({ priority: 3, preemptionPolicy: 'Never' });
    const next = await admitted(plugin(), pod(), { operation: 'update', previous });
    assert.deepEqual(next.spec, previous.spec);
  });

  it('Priority allows a single global default PriorityClass', async () => {
    const only = (...classes: ApiObject[]) => onlyDefaultClass(lookup({ priorityclasses: classes }));
    const second = { metadata: { name: 'second' }, globalDefault: true };
    const asked: Asked = { resource: 'priorityclasses' };
    await admitted(only(high), second, asked);
    await admitted(only(usual), usual, { ...asked, operation: 'update' });
    await assert.rejects(admitted(only(usual), second, asked), {
      message:
        'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    });
  });
});

describe('ServiceAccount', () => {
  const account = (name: string, members: JsonObject = {}): ApiObject => ({
    metadata: { name, namespace: 'n' },
    ...members,
  });
  const plugin = (...accounts: ApiObject[]) =>
    serviceAccount({ objects: lookup({ serviceaccounts: accounts }), nameFrom: (prefix) => `${prefix}abcde` });
  const MOUNT = {
    name: 'kube-api-access-abcde',
    readOnly: true,
    mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
  };

  it('ServiceAccount mounts a token of the default ServiceAccount', async () => {
    const { spec } = await admitted(plugin(account('default')), pod({ containers: [{ name: 'c' }] }));
    const { volumes, ...rest } = spec as JsonObject;
    assert.deepEqual(rest, {
      serviceAccountName: 'default',
      serviceAccount: 'default',
      containers: [{ name: 'c', volumeMounts: [MOUNT] }],
    });
    assert.equal((volumes as JsonObject[])[0]?.['name'], MOUNT.name);
  });

  it('ServiceAccount mounts no token if a container mounts something else at its path', async () => {
    const own = { name: 'own', mountPath: MOUNT.mountPath };
    const { spec } = await admitted(
      plugin(account('default')),
      pod({ containers: [{ name: 'c', volumeMounts: [own] }] }),
    );
    assert.equal((spec as JsonObject)['volumes'], undefined);
  });

  it('ServiceAccount follows automountServiceAccountToken of the pod, then of the ServiceAccount', async () => {
    const quiet = plugin(account('default', { automountServiceAccountToken: false }));
    const mounts = async (spec: JsonObject) => {
      const object = await admitted(quiet, pod({ containers: [{ name: 'c' }], ...spec }));
      return (object.spec as JsonObject)['volumes'] !== undefined;
    };
    assert.equal(await mounts({}), false);
    assert.equal(await mounts({ automountServiceAccountToken: true }), true);
  });

  it('ServiceAccount adds the imagePullSecrets of the ServiceAccount to pods without any', async () => {
    const asked = plugin(account('default', { imagePullSecrets: [{ name: 's' }] }));
    assert.deepEqual(((await admitted(asked, pod())).spec as JsonObject)['imagePullSecrets'], [{ name: 's' }]);
  });

  it('ServiceAccount rejects a ServiceAccount that does not exist', () =>
    assert.rejects(admitted(plugin(), pod({ serviceAccountName: 'gone' })), {
      code: 403,
      message: 'pods "a" is forbidden: error looking up service account n/gone: serviceaccount "gone" not found',
    }));

  it('ServiceAccount ignores mirror pods, which may not refer to API objects', async () => {
    const mirror = (spec: JsonObject): ApiObject => ({
      metadata: { name: 'a', annotations: { 'kubernetes.io/config.mirror': 'x' } },
      spec,
    });
    assert.deepEqual((await admitted(plugin(), mirror({}))).spec, {});
    const withSecret = mirror({ volumes: [{ name: 'v', secret: { secretName: 's' } }] });
    await assert.rejects(admitted(plugin(), withSecret), { message: /a mirror pod may not reference secrets/ });
    const withToken = mirror({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: {} }] } }] });
    await assert.rejects(admitted(plugin(), withToken), { message: /may not use ServiceAccountToken volume project/ });
    const withFiles = { volumes: [{ name: 'v', configMap: { name: 'm' } }] };
    assert.deepEqual((await admitted(plugin(), mirror(withFiles))).spec, withFiles);
  });

  it('ServiceAccount rejects a name that no ServiceAccount can have', () =>
    assert.rejects(admitted(plugin(), pod({ serviceAccountName: 'a/b' })), {
      message:
        'pods "a" is forbidden: error looking up service account n/a/b: invalid resource name "a/b": [may not contain \'/\']',
    }));

  describe('with enforced mountable secrets', () => {
    const strict = (enforced: string) => ({
      ...account('default', { secrets: [{ name: 'own' }], imagePullSecrets: [{ name: 'pull' }] }),
      metadata: {
        name: 'default',
        namespace: 'n',
        annotations: { 'kubernetes.io/enforce-mountable-secrets': enforced },
      },
    });
    const inEnv = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'x', key: 'k' } } }];
    const because = 'because service account default does not reference that';
    const refused: readonly [string, JsonObject, string][] = [
      [
        'a volume',
        { volumes: [{ name: 'v', secret: { secretName: 'x' } }] },
        `volume with secret.secretName="x" is not allowed ${because} secret`,
      ],
      [
        'an environment variable',
        { containers: [{ name: 'c', env: inEnv }] },
        `container c with envVar E referencing secret.secretName="x" is not allowed ${because} secret`,
      ],
      [
        'envFrom of an init container',
        { initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'x' } }] }] },
        `init container i with envFrom referencing secret.secretName="x" is not allowed ${because} secret`,
      ],
      [
        'an image pull secret',
        { imagePullSecrets: [{ name: 'pull' }, { name: 'x' }] },
        `imagePullSecrets[1].name="x" is not allowed ${because} imagePullSecret`,
      ],
    ];
    for (const [what, spec, why] of refused) {
      it(`ServiceAccount with enforced mountable secrets rejects ${what} with another secret`, () =>
        assert.rejects(admitted(plugin(strict('T')), pod(spec)), { message: `pods "a" is forbidden: ${why}` }));
    }

    it('ServiceAccount with enforced mountable secrets accepts the secrets of the ServiceAccount, and any if the annotation is not true', async () => {
      const spec = { volumes: [{ name: 'v', secret: { secretName: 'own' } }] };
      await admitted(plugin(strict('true')), pod(spec));
      for (const [, other] of refused) await admitted(plugin(strict('yes')), pod(other));
    });

    it('ServiceAccount with enforced mountable secrets checks ephemeral containers', async () => {
      const spec = { serviceAccountName: 'default', ephemeralContainers: [{ name: 'd', env: inEnv }] };
      const asked = { subresource: 'ephemeralcontainers', operation: 'update' } as const;
      // When the chain of changes asks, the client may still name any account.
      await admitted(plugin(strict('true')), pod({ ...spec, serviceAccountName: 'gone' }), asked);
      const last = validServiceAccount({ objects: lookup({ serviceaccounts: [strict('true')] }) });
      await assert.rejects(admitted(last, pod(spec), asked), {
        message: /ephemeral container d with envVar E referencing secret.secretName="x" is not allowed/,
      });
    });
  });
});

describe('default classes of admission plugins', () => {
  const marked = (name: string, annotation: string, creationTimestamp: string): ApiObject => ({
    metadata: { name, creationTimestamp, annotations: { [annotation]: 'true' } },
  });
  const OLD = '2026-01-01T00:00:00Z';
  const NEW = '2026-01-02T00:00:00Z';

  it('DefaultStorageClass sets the newest default StorageClass of a claim', async () => {
    const mark = 'storageclass.kubernetes.io/is-default-class';
    const plugin = defaultStorageClass(lookup({ storageclasses: [marked('a', mark, OLD), marked('b', mark, NEW)] }));
    const asked = { resource: 'persistentvolumeclaims' };
    assert.deepEqual((await admitted(plugin, pod(), asked)).spec, { storageClassName: 'b' });
    assert.deepEqual((await admitted(plugin, pod({ storageClassName: '' }), asked)).spec, { storageClassName: '' });
  });

  it('DefaultIngressClass sets the default IngressClass unless an annotation names one', async () => {
    const mark = 'ingressclass.kubernetes.io/is-default-class';
    const plugin = defaultIngressClass(lookup({ ingressclasses: [marked('a', mark, OLD)] }));
    const asked = { resource: 'ingresses' };
    assert.deepEqual((await admitted(plugin, pod(), asked)).spec, { ingressClassName: 'a' });
    const old = { metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } }, spec: {} };
    assert.deepEqual((await admitted(plugin, old, asked)).spec, {});
  });
});
