import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer, type TestServer } from '../testing.ts';

/** Members that every ordinary object inherits: in a table made of one, a lookup by such a name finds something. */
const INHERITED = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
/** A name that is as little known as those. */
const UNKNOWN = 'nonesuch';

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly type?: string;
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const pod = { metadata: { generateName: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** Each place where a client names something that the server looks up. */
const PLACES: Readonly<Record<string, (word: string) => Sent>> = {
  'a root path': (word) => ({ path: `/${word}` }),
  'a group': (word) => ({ path: `/apis/${word}/v1/things` }),
  'a version': (word) => ({ path: `/apis/apps/${word}/deployments` }),
  'a resource': (word) => ({ path: `/api/v1/${word}` }),
  'a namespace': (word) => ({ path: `/api/v1/namespaces/${word}` }),
  'a name': (word) => ({ path: `${MAPS}/${word}` }),
  'a subresource': (word) => ({ path: `${PODS}/p/${word}` }),
  'a subresource to be written': (word) => ({ path: `${PODS}/p/${word}`, method: 'POST', body: {} }),
  'a deprecated verb': (word) => ({ path: `/api/v1/${word}/namespaces/default/pods` }),
  'a method': (word) => ({ path: MAPS, method: word.replaceAll('_', '-') }),
  'a dump of flow control': (word) => ({ path: `/debug/api_priority_and_fairness/${word}` }),
  'a profile': (word) => ({ path: `/debug/pprof/${word}` }),
  'a debug flag': (word) => ({ path: `/debug/flags/${word}`, method: 'PUT', body: '5' }),
  'a health check': (word) => ({ path: `/livez/${word}` }),
  'an excluded health check': (word) => ({ path: `/readyz?exclude=${word}` }),
  'an OpenAPI document': (word) => ({ path: `/openapi/v3/${word}` }),
  'an OpenAPI group': (word) => ({ path: `/openapi/v3/apis/${word}/v1` }),
  'a page of metrics': (word) => ({ path: `/metrics/${word}` }),
  'a component status': (word) => ({ path: `/api/v1/componentstatuses/${word}` }),
  'a media type': (word) => ({ path: MAPS, headers: { accept: `application/${word}` } }),
  'a transformation': (word) => ({ path: MAPS, headers: { accept: `application/json;as=${word};g=meta.k8s.io;v=v1` } }),
  'a parameter of a media type': (word) => ({ path: MAPS, headers: { accept: `application/json;${word}=x` } }),
  'a content type': (word) => ({ path: MAPS, method: 'POST', type: `application/${word}`, body: {} }),
  'a type of patches': (word) => ({ path: `${MAPS}/m`, method: 'PATCH', type: `application/${word}+json`, body: {} }),
  'an encoding': (word) => ({ path: MAPS, headers: { 'accept-encoding': word } }),
  'a header': (word) => ({ path: MAPS, headers: { [word]: 'x' } }),
  'an option': (word) => ({ path: `${MAPS}?${word}=x` }),
  'a sorting of options': (word) => ({ path: `${MAPS}?resourceVersionMatch=${word}&resourceVersion=1` }),
  'a dry run': (word) => ({ path: `${MAPS}?dryRun=${word}`, method: 'POST', body: { metadata: { name: 'a' } } }),
  'a field validation': (word) => ({ path: `${MAPS}?fieldValidation=${word}`, method: 'POST', body: {} }),
  'a propagation': (word) => ({ path: `${MAPS}/m?propagationPolicy=${word}`, method: 'DELETE' }),
  'a selected label': (word) => ({ path: `${MAPS}?labelSelector=${word.replaceAll('_', 'x')}` }),
  'a selected field': (word) => ({ path: `${MAPS}?fieldSelector=${word}=x` }),
  'a selected field of pods': (word) => ({ path: `${PODS}?fieldSelector=${word}=x` }),
  'a kind': (word) => ({ path: MAPS, method: 'POST', body: { apiVersion: 'v1', kind: word } }),
  'an API version': (word) => ({ path: MAPS, method: 'POST', body: { apiVersion: word, kind: 'ConfigMap' } }),
  'a member': (word) => ({
    path: `${MAPS}?fieldValidation=Strict&dryRun=All`,
    method: 'POST',
    body: `{"metadata":{"name":"a"},"${word}":1}`,
  }),
  'a key of data': (word) => ({
    path: `${MAPS}?dryRun=All`,
    method: 'POST',
    body: `{"metadata":{"name":"a"},"data":{"${word}":"x"}}`,
  }),
  'a phase of a pod': (word) => ({ path: PODS, method: 'POST', body: { ...pod, status: { phase: word } } }),
  'an operator': (word) => ({
    path: PODS,
    method: 'POST',
    body: { ...pod, spec: { ...pod.spec, tolerations: [{ key: 'a', operator: word }] } },
  }),
  'a policy for restarts': (word) => ({
    path: PODS,
    method: 'POST',
    body: { ...pod, spec: { ...pod.spec, restartPolicy: word } },
  }),
  'a resource of a container': (word) => ({
    path: PODS,
    method: 'POST',
    body: `{"metadata":{"generateName":"p"},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"${word}":"1"}}}]}}`,
  }),
  'a quota': (word) => ({
    path: '/api/v1/namespaces/default/resourcequotas?dryRun=All',
    method: 'POST',
    body: `{"metadata":{"name":"q"},"spec":{"hard":{"${word}":"1"}}}`,
  }),
  'a scope': (word) => ({
    path: '/api/v1/namespaces/default/resourcequotas?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 'q' }, spec: { hard: {}, scopes: [word] } },
  }),
  'a type of limits': (word) => ({
    path: '/api/v1/namespaces/default/limitranges?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 'l' }, spec: { limits: [{ type: word, max: { cpu: '1' } }] } },
  }),
  'a type of secrets': (word) => ({
    path: '/api/v1/namespaces/default/secrets?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 's' }, type: word },
  }),
  'a type of services': (word) => ({
    path: '/api/v1/namespaces/default/services?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 's' }, spec: { type: word, ports: [{ port: 1, protocol: word }] } },
  }),
  'a reviewed resource': (word) => ({
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    method: 'POST',
    body: { spec: { resourceAttributes: { verb: word, group: word, resource: word } } },
  }),
  'a ruled resource': (word) => ({
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 'r' }, rules: [{ verbs: [word], apiGroups: [word], resources: [word] }] },
  }),
  'a kind that a role binding refers to': (word) => ({
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings?dryRun=All',
    method: 'POST',
    body: {
      metadata: { name: 'r' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: word, name: 'x' },
      subjects: [{ kind: word, name: 'x' }],
    },
  }),
  'an operation of a JSON patch': (word) => ({
    path: `${MAPS}/m`,
    method: 'PATCH',
    type: 'application/json-patch+json',
    body: [{ op: word, path: `/data/a` }],
  }),
  'a directive of a patch': (word) => ({
    path: `${MAPS}/m?dryRun=All`,
    method: 'PATCH',
    type: 'application/strategic-merge-patch+json',
    body: { data: { $patch: word } },
  }),
  'an enforced level of pod security': (word) => ({
    path: '/api/v1/namespaces?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 'n', labels: { 'pod-security.kubernetes.io/enforce': word.replaceAll('_', 'x') } } },
  }),
  'an owner': (word) => ({
    path: `${MAPS}?dryRun=All`,
    method: 'POST',
    body: { metadata: { name: 'a', ownerReferences: [{ apiVersion: `${word}/v1`, kind: word, name: 'x', uid: 'y' }] } },
  }),
  'a signer': (word) => ({
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All',
    method: 'POST',
    body: { metadata: { name: 'c' }, spec: { request: 'AAAA', signerName: word, usages: [word] } },
  }),
  'a format of logs': (word) => ({ path: `${PODS}/p/log?container=${word}&tailLines=${word}` }),
  'an impersonated user': (word) => ({ path: MAPS, headers: { 'impersonate-user': word } }),
  'an extra attribute': (word) => ({
    path: MAPS,
    headers: { 'impersonate-user': 'u', 'impersonate-group': 'system:masters', [`impersonate-extra-${word}`]: 'x' },
  }),
};

test('a name such as toString or __proto__ is treated like any unknown name, wherever a client sends it', async () => {
  await using server = await startTestServer({ controllers: '', profiling: true });
  await server.request('POST', MAPS, { metadata: { name: 'm' }, data: { a: '1' } });
  await server.request('POST', PODS, { ...pod, metadata: { name: 'p' } });
  const differing: string[] = [];
  for (const [place, of] of Object.entries(PLACES)) {
    const expected = await status(server, of(UNKNOWN));
    for (const word of INHERITED) {
      const found = await status(server, of(word));
      if (found !== expected) differing.push(`${place}, ${word}: ${found}, not ${expected}`);
    }
  }
  assert.deepEqual(differing, []);
});

const NO_ANSWER_MS = 10_000;

async function status(server: TestServer, { path, method = 'GET', headers = {}, body, type }: Sent): Promise<unknown> {
  const sent = new Request(`https://localhost${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': type ?? 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(NO_ANSWER_MS),
  });
  try {
    const answer = await server.fetch(sent);
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    return (error as Error).name;
  }
}
