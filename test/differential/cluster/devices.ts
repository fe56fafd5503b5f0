// Random resource claims, the pods that use them, and the devices that a driver offers for them.

import { type Chooser, created, removed, type Step } from './step.ts';

const GROUP = 'apis/resource.k8s.io/v1';
const PODS = 'api/v1/NS/pods';
const NAME = '$NS';

function offers(choose: Chooser): Step[] {
  const selectors = [{ cel: { expression: "device.driver == '$NS.example.com'" } }];
  const devices = ['one', 'two'].slice(0, choose(1, 2)).map((name) => ({ name }));
  const pool = { name: NAME, generation: 1, resourceSliceCount: 1 };
  const slice = { driver: '$NS.example.com', pool, nodeName: 'node-1', devices };
  return [
    created(`${GROUP}/deviceclasses`, { name: NAME }, { spec: { selectors } }),
    ...choose<Step[]>([], [created(`${GROUP}/resourceslices`, { name: NAME }, { spec: slice })]),
  ];
}

/** Pods with claims of their own and claims that they share. */
export function resourceClaims(choose: Chooser): Step[] {
  const spec = { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: NAME } }] } };
  const template = created(
    `${GROUP}/NS/resourceclaimtemplates`,
    { name: 'made' },
    { spec: { metadata: { labels: { a: 'b' } }, spec } },
  );
  const shared = created(`${GROUP}/NS/resourceclaims`, { name: 'shared' }, { spec });
  const entry = choose<object>({ resourceClaimTemplateName: 'made' }, { resourceClaimName: 'shared' });
  const pod = (name: string) => {
    const command = choose(['sleep', '1'], ['sleep', '600']);
    const containers = [{ name: 'main', image: 'busybox', command, resources: { claims: [{ name: 'device' }] } }];
    const more = {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      resourceClaims: [{ name: 'device', ...entry }],
    };
    return created(PODS, { name }, { spec: { containers, ...more } });
  };
  const made = choose(
    [template, shared, pod('a')],
    [pod('a'), shared, template],
    [template, shared, pod('a'), pod('b')],
  );
  const gone = choose<string[]>([], [`${PODS}/a`], [`${PODS}/a`, `${GROUP}/NS/resourceclaims/shared`]);
  return [...offers(choose), ...made, ...gone.map((path) => removed(path))];
}
