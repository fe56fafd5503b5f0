import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject, JsonObject } from '../../../../api/object.ts';
import { appArmorWarnings, copyAppArmorProfiles, validateAppArmorAgrees } from './app-armor.ts';
import type { PodSpec } from './objects.ts';

const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/c';
const WARNING = `metadata.annotations[${ANNOTATION}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

function pod(annotation: string, spec: JsonObject = {}): ApiObject {
  const annotations = { [ANNOTATION]: annotation };
  return { metadata: { name: 'p', annotations }, spec: { containers: [{ name: 'c' }, { name: 'd' }], ...spec } };
}

function contexts({ spec }: ApiObject): unknown[] {
  return (spec as { containers: JsonObject[] }).containers.map(({ securityContext }) => securityContext);
}

describe('AppArmor annotations of a new pod', () => {
  for (const [annotation, profile] of [
    ['unconfined', { type: 'Unconfined' }],
    ['runtime/default', { type: 'RuntimeDefault' }],
    ['localhost/p', { type: 'Localhost', localhostProfile: 'p' }],
  ] as const) {
    it(`${annotation} becomes a field, with a warning`, () => {
      const created = pod(annotation);
      assert.deepEqual(appArmorWarnings(created), [WARNING]);
      copyAppArmorProfiles(created, false);
      assert.deepEqual(contexts(created), [{ appArmorProfile: profile }, undefined]);
    });
  }

  it("AppArmor annotations of a new pod become no field if they are empty or repeat the pod's profile or that of the container", () => {
    const sayings: [ApiObject, unknown[], string[]][] = [
      [pod('localhost/'), [undefined, undefined], [WARNING]],
      [pod('localhost/ padded'), [undefined, undefined], [WARNING]],
      [pod('unconfined', { os: { name: 'windows' } }), [undefined, undefined], []],
      [pod('unconfined', { securityContext: { appArmorProfile: { type: 'Unconfined' } } }), [undefined, undefined], []],
    ];
    for (const [created, expected, warnings] of sayings) {
      assert.deepEqual(appArmorWarnings(created), warnings);
      copyAppArmorProfiles(created, false);
      assert.deepEqual(contexts(created), expected);
    }
  });

  it('AppArmor annotations of a new pod are set from the fields, too, before 1.34', () => {
    const created = pod('unconfined', {
      securityContext: { appArmorProfile: { type: 'RuntimeDefault' } },
      containers: [
        { name: 'c' },
        { name: 'd' },
        { name: 'e', securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'p' } } },
      ],
    });
    copyAppArmorProfiles(created, true);
    const prefix = 'container.apparmor.security.beta.kubernetes.io/';
    assert.deepEqual(created.metadata.annotations, {
      [`${prefix}c`]: 'unconfined',
      [`${prefix}d`]: 'runtime/default',
      [`${prefix}e`]: 'localhost/p',
    });
  });

  it('AppArmor annotations of a new pod must agree with the fields', () => {
    const faults = (annotation: string, appArmorProfile: JsonObject) => {
      const { metadata, spec } = pod(annotation, { containers: [{ name: 'c', securityContext: { appArmorProfile } }] });
      return validateAppArmorAgrees(metadata, spec as unknown as PodSpec, 'spec').map(({ field }) => field);
    };
    const field = 'spec.containers[0].securityContext.appArmorProfile';
    assert.deepEqual(faults('unconfined', { type: 'Unconfined' }), []);
    assert.deepEqual(faults('unconfined', { type: 'RuntimeDefault' }), [`${field}.type`]);
    assert.deepEqual(faults('localhost/a', { type: 'Localhost', localhostProfile: 'a' }), []);
    assert.deepEqual(faults('localhost/a', { type: 'Localhost', localhostProfile: 'b' }), [
      `${field}.localhostProfile`,
    ]);
  });
});
