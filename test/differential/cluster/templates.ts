// Random pod templates.

import type { Chooser } from './step.ts';

/** @param spec what the pods have beside their container */
export function template(choose: Chooser, labels: object, spec: object = {}) {
  const resources = choose({}, { requests: { cpu: '100m' } });
  const probe = choose({}, { readinessProbe: { tcpSocket: { port: 80 } } });
  const ports = [{ name: 'http', containerPort: 8080 }];
  const containers = [{ name: 'main', image: choose('nginx:1', 'nginx:2', 'httpd'), resources, ports, ...probe }];
  return { metadata: { labels }, spec: { containers, terminationGracePeriodSeconds: choose(1, 5), ...spec } };
}
