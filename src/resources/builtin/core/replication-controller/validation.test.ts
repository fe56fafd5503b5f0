import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../../api/object.ts';
import { validatePodTemplateObject, validateReplicationController } from './validation.ts';

const POD: JsonObject = {
  containers: [{ name: 'web', image: 'nginx', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }],
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
};
const SPEC: JsonObject = {
  replicas: 1,
  selector: { app: 'web' },
  template: { metadata: { labels: { app: 'web' } }, spec: POD },
};

describe('validation of ReplicationControllers', () => {
  for (const [subject, change, ...fields] of [
    ['a valid one', {}],
    ['a missing selector', { selector: undefined }, 'spec.selector'],
    ['a missing template', { template: undefined }, 'spec.template'],
    ['a selector that does not match the template', { selector: { app: 'x' } }, 'spec.template.metadata.labels'],
    ['negative counts', { replicas: -1, minReadySeconds: -1 }, 'spec.minReadySeconds', 'spec.replicas'],
    [
      'a template with another restartPolicy and a deadline',
      {
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...POD, restartPolicy: 'Never', activeDeadlineSeconds: 1 },
        },
      },
      'spec.template.spec.restartPolicy',
      'spec.template.spec.activeDeadlineSeconds',
    ],
  ] as readonly (readonly [string, JsonObject, ...string[]])[]) {
    it(`validation of ReplicationControllers checks ${subject}`, () => {
      const found = validateReplicationController({ metadata: {}, spec: { ...SPEC, ...change } });
      assert.deepEqual(
        found.map(({ field }) => field),
        fields,
      );
    });
  }

  it('validation of ReplicationControllers applies to PodTemplates as objects, too', () => {
    assert.deepEqual(
      validatePodTemplateObject({ metadata: {}, template: { spec: { ...POD, containers: null } } }).map(
        ({ field }) => field,
      ),
      ['template.spec.containers'],
    );
  });
});
