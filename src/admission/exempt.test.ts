import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { exemptionFromPolicies, exemptionFromWebhooks } from './exempt.ts';

const POLICIES = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];
const WEBHOOKS = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
const group = 'admissionregistration.k8s.io';

suite('exemptions from admission', () => {
  test('admission policies and their bindings are exempt from policies and from webhooks of the API', () => {
    for (const resource of POLICIES) {
      assert.equal(exemptionFromPolicies({ group, resource }), 'of the API', resource);
      assert.equal(exemptionFromWebhooks({ group, resource }, false), 'of the API', resource);
    }
  });

  test('webhook configurations are exempt from webhooks of the API, but not from policies', () => {
    for (const resource of WEBHOOKS) {
      assert.equal(exemptionFromWebhooks({ group, resource }, false), 'of the API', resource);
      assert.equal(exemptionFromPolicies({ group, resource }), undefined, resource);
    }
  });

  test('reviews of tokens and access are exempt from all policies, and from all webhooks behind a gate', () => {
    for (const [of, resource] of [
      ['authentication.k8s.io', 'selfsubjectreviews'],
      ['authentication.k8s.io', 'tokenreviews'],
      ['authorization.k8s.io', 'localsubjectaccessreviews'],
      ['authorization.k8s.io', 'selfsubjectaccessreviews'],
      ['authorization.k8s.io', 'selfsubjectrulesreviews'],
      ['authorization.k8s.io', 'subjectaccessreviews'],
    ] as const) {
      assert.equal(exemptionFromPolicies({ group: of, resource }), 'all', resource);
      assert.equal(exemptionFromWebhooks({ group: of, resource }, false), undefined, resource);
      assert.equal(exemptionFromWebhooks({ group: of, resource }, true), 'all', resource);
    }
  });

  test('resources of other groups with the same names are not exempt', () => {
    assert.equal(exemptionFromPolicies({ group: 'example.com', resource: 'tokenreviews' }), undefined);
    const foreign = { group: 'example.com', resource: 'mutatingadmissionpolicies' };
    assert.equal(exemptionFromWebhooks(foreign, false), undefined);
    assert.equal(exemptionFromPolicies({ group: 'constructor', resource: 'constructor' }), undefined);
  });
});
