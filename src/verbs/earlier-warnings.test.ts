import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningsInRelease } from './earlier-warnings.ts';

const inRelease = (text: string, minor: number) => warningsInRelease([text], { minor })[0];

test('a release omits the warnings that later ones added', () => {
  const rows: [since: number, text: string][] = [
    [34, 'spec.externalIPs is ignored for headless services'],
    [
      33,
      'spec.hostAliases[0].ip: non-standard IP address "01.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    ],
    [
      33,
      'spec.podCIDRs[0]: CIDR value "1.2.3.4/8" is ambiguous in this context (should be "1.0.0.0/8" or "1.2.3.4/32"?)',
    ],
    [33, 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'],
    [32, 'volume "v" (ConfigMap "c"): overlapping paths: "a" with "a"'],
    [
      32,
      'metadata.annotations[kubernetes.io/enforce-mountable-secrets]: deprecated in v1.32+; prefer separate namespaces',
    ],
  ];
  for (const [since, text] of rows) {
    assert.equal(inRelease(text, since), text);
    assert.equal(inRelease(text, since - 1), undefined, text);
  }
  assert.equal(inRelease('spec.externalID: this field is deprecated', 29), 'spec.externalID: this field is deprecated');
});

test('warnings about the addresses of a Service and gitRepo volumes have other words before 1.33', () => {
  const form = 'in RFC 5952 canonical format ("1::")';
  const rows: [text: string, before: string][] = [
    [
      `spec.loadBalancerIP: IPv6 address "1::0" should be ${form}`,
      `spec.loadBalancerIP: IPv6 address "1::0" is not ${form}, which may cause controller apply-loops`,
    ],
    [
      'spec.externalIPs[0]: non-standard IP address "01.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
      'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero',
    ],
    [
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.volumes[0].gitRepo: deprecated in v1.11',
    ],
  ];
  for (const [text, before] of rows) assert.deepEqual([inRelease(text, 33), inRelease(text, 32)], [text, before]);
});
