// Scenarios that cannot run concurrently with others. Most use their own namespace and names; these modify or observe
// cluster-wide state.

import { namesOf, valueAt } from './place.ts';
import type { RequestSpec, Scenario, Step } from './scenario.ts';

interface Rule {
  readonly reason: string;
  readonly applies: (scenario: Scenario) => boolean;
}

const rules: readonly Rule[] = [
  { reason: 'compares the version of a list with others', applies: comparesListVersion },
  { reason: 'reads a document about all of the server', applies: anyRequest(readsServerDocument) },
  { reason: 'changes what others get by default', applies: anyRequest(changesDefaults) },
  { reason: 'takes a fixed address or port', applies: anyRequest(takesFixedAddress) },
  { reason: 'has a say about the writes of others', applies: anyRequest(judgesOthers) },
  { reason: 'gives rights to users of others', applies: anyRequest(grantsRights) },
  { reason: 'writes to a fixed name that others may use', applies: anyRequest(writesFixedName) },
];

/** Returns why a scenario must run alone; undefined if it need not. */
export function reasonToRunAlone(scenario: Scenario): string | undefined {
  return rules.find(({ applies }) => applies(scenario))?.reason;
}

function anyRequest(test: (request: RequestSpec) => boolean): Rule['applies'] {
  return ({ steps }) => steps.flatMap(requestsOf).some(test);
}

function requestsOf(step: Step): readonly RequestSpec[] {
  if (step.do === 'parallel') return step.requests;
  return 'path' in step ? [step] : [];
}

/** The resource version of a list advances with the writes of other scenarios. */
function comparesListVersion({ steps }: Scenario): boolean {
  const all = JSON.stringify(steps.map(({ expect }) => expect));
  return steps.some(({ expect }) => {
    const body = valueAt(expect, ['body']);
    const events = valueAt(expect, ['events']);
    const tables = Array.isArray(events) ? events.map((event) => valueAt(event, ['object'])) : [];
    return [body, ...tables].some((list) => {
      const version = valueAt(list, namesOf('metadata.resourceVersion'));
      const isList = Array.isArray(valueAt(list, ['items'])) || Array.isArray(valueAt(list, ['rows']));
      return isList && typeof version === 'string' && all.split(version).length > 2;
    });
  });
}

const serverDocuments = new Set(['/', '/api', '/apis', '/openapi/v2', '/openapi/v3', '/metrics']);

function readsServerDocument({ path }: RequestSpec): boolean {
  return serverDocuments.has(path);
}

function isWrite({ method = 'GET', query }: RequestSpec): boolean {
  return method !== 'GET' && method !== 'DELETE' && query?.['dryRun'] === undefined;
}

/** Default classes, and quotas and limits in the shared namespace. */
function changesDefaults(request: RequestSpec): boolean {
  if (!isWrite(request)) return false;
  if (/is-default-class|globalDefault"?: ?true/.test(textOf(request))) return true;
  return /\/namespaces\/default\/(resourcequotas|limitranges)/.test(request.path);
}

function takesFixedAddress(request: RequestSpec): boolean {
  return isWrite(request) && /"clusterIPs?":\[?"\d|"nodePort":[1-9]|"healthCheckNodePort":[1-9]/.test(textOf(request));
}

/** Webhooks and policies apply to every matching write; selectors restrict some to the scenario's own objects. */
function judgesOthers(request: RequestSpec): boolean {
  if (!isWrite(request) || !/webhookconfigurations|admissionpolic/.test(request.path)) return false;
  return !/"\{ns\}"|\{u\}\.example\.com"\]/.test(textOf(request));
}

/** There are few recorded users; cluster-wide permissions granted to one are visible in other scenarios. */
function grantsRights(request: RequestSpec): boolean {
  if (!isWrite(request)) return false;
  if (textOf(request).includes('rbac.authorization.k8s.io/aggregate-to-')) return true;
  const grants =
    request.path.endsWith('/clusterrolebindings') || /\/namespaces\/[^{]*\/rolebindings$/.test(request.path);
  const subjects = valueAt(request.body, ['subjects']);
  if (!grants || !Array.isArray(subjects)) return false;
  return subjects.some((subject) => !String(valueAt(subject, ['name'])).includes('{'));
}

function writesFixedName(request: RequestSpec): boolean {
  if (!isWrite(request) || request.path.includes('{') || request.path.endsWith('reviews')) return false;
  if (request.method !== 'POST') return true;
  const name = valueAt(request.body, namesOf('metadata.name'));
  return typeof name === 'string' && name !== '' && !name.includes('{');
}

function textOf({ body }: RequestSpec): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}
