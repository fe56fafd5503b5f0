// Containers of a pod, or of the template of a workload: image, state with its reason, restarts, and why the container
// ended before.

import { at, entriesAt, listAt, numberAt, textAt } from '../relations/members.ts';

export interface ContainerSummary {
  readonly name: string;
  /** '' for an ordinary container. */
  readonly role: '' | 'init' | 'sidecar' | 'ephemeral';
  readonly image: string;
  /** `Running`, or the reason why not: `CrashLoopBackOff`; '' where nothing is known. */
  readonly state: string;
  /** 'good', 'warn', 'bad' or ''. */
  readonly tone: string;
  /** What the kubelet says about the state, or how the container ended. */
  readonly message: string;
  /** RFC 3339, of the present state; '' if unknown. */
  readonly since: string;
  readonly restarts: number;
  /** How it ended before: `OOMKilled, exit code 137`; '' if it did not. */
  readonly lastEnd: string;
  readonly lastEndTime: string;
  /** `http 8080/TCP` */
  readonly ports: readonly string[];
  /** `cpu 100m – 1`: requests and limits. */
  readonly resources: readonly string[];
}

type Ended = Pick<ContainerSummary, 'state' | 'tone' | 'message' | 'since'>;

const NOTHING: Ended = { state: '', tone: '', message: '', since: '' };
/** Waiting as part of a normal start. */
const STARTING = new Set(['ContainerCreating', 'PodInitializing']);

/** Returns the containers of a pod in the order in which they start. */
export function containersOf(pod: unknown): ContainerSummary[] {
  const kinds = [
    ['initContainers', 'initContainerStatuses'],
    ['containers', 'containerStatuses'],
    ['ephemeralContainers', 'ephemeralContainerStatuses'],
  ] as const;
  return kinds.flatMap(([list, statuses]) => {
    const byName = new Map(listAt(pod, 'status', statuses).map((status) => [textAt(status, 'name'), status]));
    return listAt(pod, 'spec', list).map((container) =>
      summaryOf(container, byName.get(textAt(container, 'name')), roleOf(list, container)),
    );
  });
}

function roleOf(list: string, container: unknown): ContainerSummary['role'] {
  if (list === 'ephemeralContainers') return 'ephemeral';
  if (list === 'containers') return '';
  return textAt(container, 'restartPolicy') === 'Always' ? 'sidecar' : 'init';
}

function summaryOf(container: unknown, status: unknown, role: ContainerSummary['role']): ContainerSummary {
  const last = at(status, 'lastState', 'terminated');
  return {
    name: textAt(container, 'name'),
    role,
    image: textAt(container, 'image'),
    ...stateOf(status, role === 'init'),
    restarts: numberAt(status, 'restartCount'),
    lastEnd: last === undefined ? '' : endOf(last),
    lastEndTime: textAt(last, 'finishedAt'),
    ports: listAt(container, 'ports').map(portText),
    resources: resourcesOf(container),
  };
}

function stateOf(status: unknown, isInit: boolean): Ended {
  const [waiting, running, terminated] = ['waiting', 'running', 'terminated'].map((name) => at(status, 'state', name));
  if (running !== undefined) {
    const isReady = at(status, 'ready') === true || isInit;
    const message = isReady ? '' : 'not ready';
    return { state: 'Running', tone: isReady ? 'good' : 'warn', message, since: textAt(running, 'startedAt') };
  }
  if (terminated !== undefined) {
    const isGood = numberAt(terminated, 'exitCode') === 0 && numberAt(terminated, 'signal') === 0;
    return {
      state: textAt(terminated, 'reason') || 'Terminated',
      tone: isGood ? (isInit ? 'good' : '') : 'bad',
      message: textAt(terminated, 'message') || (isGood ? '' : exitOf(terminated)),
      since: textAt(terminated, 'finishedAt'),
    };
  }
  if (waiting === undefined) return NOTHING;
  const state = textAt(waiting, 'reason') || 'Waiting';
  return { state, tone: STARTING.has(state) ? 'warn' : 'bad', message: textAt(waiting, 'message'), since: '' };
}

function endOf(terminated: unknown): string {
  return [textAt(terminated, 'reason'), exitOf(terminated)].filter((text) => text !== '').join(', ');
}

function exitOf(terminated: unknown): string {
  const signal = numberAt(terminated, 'signal');
  return signal > 0 ? `signal ${signal}` : `exit code ${numberAt(terminated, 'exitCode')}`;
}

function portText(port: unknown): string {
  const text = `${textAt(port, 'containerPort')}/${textAt(port, 'protocol') || 'TCP'}`;
  return [textAt(port, 'name'), text].filter((part) => part !== '').join(' ');
}

function resourcesOf(container: unknown): readonly string[] {
  const requests = new Map(entriesAt(container, 'resources', 'requests'));
  const limits = new Map(entriesAt(container, 'resources', 'limits'));
  return [...new Set([...requests.keys(), ...limits.keys()])].map((name) => {
    const [request, limit] = [requests.get(name), limits.get(name)].map((amount) => textAt(amount));
    if (limit === '') return `${name} ${request}`;
    return request === limit ? `${name} ${limit}` : `${name} ${request || '0'} – ${limit}`;
  });
}
