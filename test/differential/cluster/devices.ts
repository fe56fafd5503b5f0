// Random resource claims, the pods that use them, and the devices that a driver offers for them.

import type { Chooser, Step } from './step.ts';

const GROUP = 'apis/resource.k8s.io/v1';
const PODS = 'api/v1/NS/pods';
const NAME = '$NS';

function post(path: string, metadata: object, spec: object): Step {
  return { method: 'POST', path, body: { metadata, spec }, waits: true };
}

function offers(choose: Chooser): Step[] {
  const selectors = [{ cel: { expression: "device.driver == '$NS.example.com'" } }];
  const devices = ['one', 'two'].slice(0, choose(1, 2)).map((name) => ({ name }));
  const pool = { name: NAME, generation: 1, resourceSliceCount: 1 };
  const slice = { driver: '$NS.example.com', pool, nodeName: 'node-1', devices };
  return [
    post(`${GROUP}/deviceclasses`, { name: NAME }, { selectors }),
    ...choose<Step[]>([], [post(`${GROUP}/resourceslices`, { name: NAME }, slice)]),
  ];
}

/** Pods with claims of their own and claims that they share. */
export function resourceClaims(choose: Chooser): Step[] {
  const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: NAME } }] } };
  const template = post(
    `${GROUP}/NS/resourceclaimtemplates`,
    { name: 'made' },
    { metadata: { labels: { a: 'b' } }, spec },
  );
  const shared = post(`${GROUP}/NS/resourceclaims`, { name: 'shared' }, spec);
  const entry = choose<object>({ resourceClaimTemplateName: 'made' }, { resourceClaimName: 'shared' });
  const pod = (name: string) => {
    const command = choose(['sleep', '1'], ['sleep', '600']);
    const containers = [{ name: 'main', image: 'busybox', command, resources: { claims: [{ name: 'device' }] } }];
    const more = {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      resourceClaims: [{ name: 'device', ...entry }],
    };
    return post(PODS, { name }, { containers, ...more });
  };
  const made = choose(
    [template, shared, pod('a')],
    [pod('a'), shared, template],
    [template, shared, pod('a'), pod('b')],
  );
  const removed = choose<string[]>([], [`${PODS}/a`], [`${PODS}/a`, `${GROUP}/NS/resourceclaims/shared`]);
  return [...offers(choose), ...made, ...removed.map((path): Step => ({ method: 'DELETE', path, waits: true }))];
}
