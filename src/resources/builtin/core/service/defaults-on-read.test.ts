import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { JsonObject } from '../../../../api/object.ts';
import type { IpFamily } from '../../../validation/ip-addresses.ts';
import { serviceDefaultsOnRead } from './defaults-on-read.ts';

function read(spec: JsonObject, primary: IpFamily = 'IPv4'): JsonObject {
  const service = { metadata: { name: 'a' }, spec };
  serviceDefaultsOnRead(service, primary);
  return service.spec;
}

const SINGLE = { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };

suite('defaults of stored Services', () => {
  const cases: [title: string, spec: JsonObject, expected: JsonObject, primary?: IpFamily][] = [
    [
      'a Service stored without clusterIPs has the one of clusterIP, and its family',
      { type: 'ClusterIP', clusterIP: '10.0.0.5' },
      { type: 'ClusterIP', clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ...SINGLE },
    ],
    [
      'a Service with two stored cluster IPs has their families',
      { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5', 'fd00::5'] },
      {
        ...{ clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5', 'fd00::5'] },
        ...{ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
      },
    ],
    [
      'a headless Service with a selector has the default family',
      { clusterIP: 'None', selector: { a: 'b' } },
      {
        ...{ clusterIP: 'None', clusterIPs: ['None'], selector: { a: 'b' } },
        ...{ ipFamilies: ['IPv6'], ipFamilyPolicy: 'SingleStack' },
      },
      'IPv6',
    ],
    [
      'a headless Service without a selector has both families, the default one first',
      { clusterIP: 'None' },
      { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv6', 'IPv4'], ipFamilyPolicy: 'RequireDualStack' },
      'IPv6',
    ],
    [
      'an ExternalName Service has no internal traffic policy and no families',
      { type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Cluster' },
      { type: 'ExternalName', externalName: 'a.b' },
    ],
    [
      'a Service with families is read as it is',
      { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ...SINGLE, internalTrafficPolicy: 'Local' },
      { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ...SINGLE, internalTrafficPolicy: 'Local' },
    ],
  ];
  for (const [title, spec, expected, primary] of cases) {
    test(title, () => assert.deepEqual(read(spec, primary), expected));
  }
});
