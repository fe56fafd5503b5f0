// Random services, with and without pods of their own.

import { type Chooser, created, patched, removed, type Step } from './step.ts';

const SERVICES = 'api/v1/NS/services';

function ports(choose: Chooser): object[] {
  const targetPort = choose<string | number>('http', 9090, 'none');
  const http = { name: 'http', port: 80, targetPort, ...choose<object>({}, { appProtocol: 'http' }) };
  return choose<object[]>(
    [http],
    [http],
    [http, { name: 'https', port: 443, targetPort: 8443 }, { name: 'dns', port: 53, protocol: 'UDP' }],
    Array.from({ length: 120 }, (_, index) => ({ name: `p${index}`, port: 1000 + index })),
  );
}

export function services(choose: Chooser): Step[] {
  const app = choose('d', 's', 'x', 'r');
  const spec = {
    selector: { app },
    ports: ports(choose),
    ...choose<object>({}, { clusterIP: 'None' }, { publishNotReadyAddresses: true }),
    ...choose<object>({}, {}, { trafficDistribution: choose('PreferClose', 'PreferSameNode') }),
    ...choose<object>({}, {}, { ipFamilyPolicy: choose('PreferDualStack', 'RequireDualStack') }),
  };
  const annotations = choose<object>({}, {}, {}, { 'service.kubernetes.io/topology-mode': 'Auto' });
  const external = { type: 'ExternalName', externalName: 'example.com', selector: { app } };
  return choose(
    ...Array.from({ length: 4 }, () => [created(SERVICES, { name: 'v', labels: { of: app }, annotations }, { spec })]),
    [created(SERVICES, { name: 'v' }, { spec: external })],
  );
}

/** A service without a selector, and addresses that are maintained by hand. */
export function handmade(choose: Chooser): Step[] {
  const [first, second] = [{ ip: '10.9.0.1' }, { ip: '10.9.0.2', hostname: 'two' }];
  const [http, https] = [
    { name: 'http', port: 80 },
    { name: 'https', port: 443, appProtocol: 'https' },
  ];
  const subsets = (): object[] =>
    choose<object[]>(
      [{ addresses: [first], notReadyAddresses: [second], ports: [http] }],
      [{ addresses: [first, second], ports: [http, https] }],
      [
        { addresses: [first], ports: [http] },
        { addresses: [second, { ip: 'fd00::9' }], ports: [https] },
      ],
      [{ addresses: [first] }],
      [],
    );
  const metadata = { name: 'h', labels: { by: 'hand' }, annotations: { note: 'a' } };
  const path = 'api/v1/NS/endpoints';
  const skip = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  return [
    created(SERVICES, metadata, { spec: { ports: [{ port: 80 }] } }),
    created(path, metadata, { subsets: subsets() }),
    choose(
      patched(`${path}/h`, { subsets: subsets() }),
      patched(`${path}/h`, { metadata: { annotations: { note: null } } }),
      patched(`${path}/h`, { metadata: { labels: skip } }),
      patched(`${SERVICES}/h`, { spec: { selector: { app: 'd' } } }),
      removed(`${SERVICES}/h`),
    ),
  ];
}
