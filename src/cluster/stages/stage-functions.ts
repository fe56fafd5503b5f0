// Functions that KWOK adds to the templates of Stages, beside those of Go and sprig.

import { stringifyJson } from '../../api/json-writer.ts';
import { stringifyYaml } from '../../api/yaml-writer.ts';
import { goQuote } from '../../base/go-quote.ts';
import { keelsonVersion } from '../../lifecycle/version.ts';
import { nodeConditions } from '../nodes/node-conditions.ts';
import { goTime } from './go-time.ts';
import { integerFrom, stringIn, taking } from './templates/function.ts';
import type { TemplateFunction } from './templates/template.ts';
import { jsonOf, valueFrom } from './templates/values.ts';

/** What templates can ask for besides the object. */
export interface Surroundings {
  readonly nowMs: number;
  /** When the simulation started. */
  readonly startedMs: number;
  /** The node of the object: its own, or that of a pod; '' for any other object. */
  readonly nodeName: string;
  /** The address of a simulated node; '' for any other. */
  nodeAddress(nodeName: string): string;
  /** The address of the pod, which gets one from the range of that node if it has none; '' if there is none. */
  podAddress(nodeName: string): string;
}

/** The port of a kubelet. */
const KUBELET_PORT = 10_250;
const INDENT = 2;

/** @param surroundings of the object for which a template is rendered */
export function stageFunctions(surroundings: Surroundings): Readonly<Record<string, TemplateFunction>> {
  const { nowMs, startedMs, nodeName } = surroundings;
  const podAddress = (node: string, isOfHost: boolean) =>
    isOfHost ? surroundings.nodeAddress(node) : surroundings.podAddress(node);
  return {
    Quote: taking(1, 1, ([value], { budget }) => {
      const text = stringifyJson(jsonOf(value, budget));
      budget.spendText(text.length);
      return text.startsWith('"') ? text : goQuote(text);
    }),
    Now: taking(0, 0, () => goTime(nowMs)),
    StartTime: taking(0, 0, () => goTime(startedMs)),
    YAML: taking(1, 2, ([value, indent], { budget }) => {
      const text = stringifyYaml(jsonOf(value, budget));
      const pad = ' '.repeat(Math.max(0, Math.min(integerFrom(indent) * INDENT, 1_000)));
      // Written much more slowly than other texts.
      budget.spendText(4 * text.length + text.split('\n').length * pad.length);
      return pad === '' ? text : `\n${text}`.replaceAll('\n', `\n${pad}`);
    }),
    Version: taking(0, 0, () => keelsonVersion),
    NodeConditions: taking(0, 0, (_given, { budget }) =>
      valueFrom(
        healthy().map((condition) => ({ ...condition, lastHeartbeatTime: null, lastTransitionTime: null })),
        budget,
      ),
    ),
    NodeName: taking(0, 0, () => nodeName),
    NodeIP: taking(0, 0, () => surroundings.nodeAddress(nodeName)),
    NodePort: taking(0, 0, () => KUBELET_PORT),
    PodIP: taking(0, 0, () => surroundings.podAddress(nodeName)),
    NodeIPWith: taking(1, 1, ([node]) => surroundings.nodeAddress(stringIn(node))),
    PodIPWith: taking(5, 5, ([node, isOfHost]) => podAddress(stringIn(node), isOfHost === true)),
  };
}

/** The names of the functions, with which templates are compiled. */
export const STAGE_FUNCTION_NAMES: ReadonlySet<string> = new Set(
  Object.keys(stageFunctions({ nowMs: 0, startedMs: 0, nodeName: '', nodeAddress: () => '', podAddress: () => '' })),
);

/** The conditions of a healthy node, in KWOK's order. */
function healthy() {
  const own = nodeConditions([], new Map(), 0);
  own.unshift(...own.splice(-1));
  return [
    ...own.map(({ type = '', status = '', reason = '', message = '' }) => ({ type, status, reason, message })),
    {
      type: 'NetworkUnavailable',
      status: 'False',
      reason: 'RouteCreated',
      message: 'RouteController created a route',
    },
  ];
}
