import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isExemptFromPolicies, isExemptFromWebhooks } from './exempt.ts';

const POLICIES = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
];
const WEBHOOKS = ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'];
const group = 'admissionregistration.k8s.io';

suite('exemptions from admission', () => {
  test('admission policies and their bindings are exempt from policies and from webhooks', () => {
    for (const resource of POLICIES) {
      assert.equal(isExemptFromPolicies({ group, resource }), true, resource);
      assert.equal(isExemptFromWebhooks({ group, resource }, false), true, resource);
    }
  });

  test('webhook configurations are exempt from webhooks, but not from policies', () => {
    for (const resource of WEBHOOKS) {
      assert.equal(isExemptFromWebhooks({ group, resource }, false), true, resource);
      assert.equal(isExemptFromPolicies({ group, resource }), false, resource);
    }
  });

  test('reviews of tokens and access are exempt from policies, and from webhooks behind a gate', () => {
    for (const [of, resource] of [
      ['authentication.k8s.io', 'selfsubjectreviews'],
      ['authentication.k8s.io', 'tokenreviews'],
      ['authorization.k8s.io', 'localsubjectaccessreviews'],
      ['authorization.k8s.io', 'selfsubjectaccessreviews'],
      ['authorization.k8s.io', 'selfsubjectrulesreviews'],
      ['authorization.k8s.io', 'subjectaccessreviews'],
    ] as const) {
      assert.equal(isExemptFromPolicies({ group: of, resource }), true, resource);
      assert.equal(isExemptFromWebhooks({ group: of, resource }, false), false, resource);
      assert.equal(isExemptFromWebhooks({ group: of, resource }, true), true, resource);
    }
  });

  test('resources of other groups with the same names are not exempt', () => {
    assert.equal(isExemptFromPolicies({ group: 'example.com', resource: 'tokenreviews' }), false);
    assert.equal(isExemptFromWebhooks({ group: 'example.com', resource: 'mutatingadmissionpolicies' }, false), false);
    assert.equal(isExemptFromPolicies({ group: 'constructor', resource: 'constructor' }), false);
  });
});
