// The plugin PodTolerationRestriction: new pods get the default tolerations of their namespace's annotation or, without
// one, of the configuration, and must comply with its whitelist.

import { type ApiError, errors } from '../api/errors.ts';
import { jsonWord } from '../api/go-text.ts';
import { isObject } from '../api/is-object.ts';
import { JsonError, parseJson } from '../api/json-reader.ts';
import type { ApiObject, Json, JsonObject } from '../api/object.ts';
import { type Soon, whenThere } from '../base/soon.ts';
import { qosClass } from '../resources/builtin/core/pod/quality-of-service.ts';
import { objectsAt } from '../resources/fill-in.ts';
import type { AdmissionPlugin } from './chain.ts';
import { concerns } from './concerns.ts';
import { PODS } from './resources.ts';
import { covers, mergeTolerations } from './tolerations.ts';

const NAME = 'PodTolerationRestriction';
const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const UNDER_PRESSURE = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' };

interface PodTolerationOptions {
  /** Looks a namespace up by name. */
  readonly namespaceOf: (name: string) => Soon<ApiObject | undefined>;
  /** For namespaces without annotations. */
  readonly defaults: readonly JsonObject[];
  readonly allowed: readonly JsonObject[];
}

export function podTolerationRestriction(options: PodTolerationOptions): AdmissionPlugin {
  return plugin(options, ({ pod, namespace, isNew }) => {
    const added = isNew ? [...(tolerationsIn(namespace, DEFAULTS) ?? options.defaults)] : [];
    if (qosClass(pod) !== 'BestEffort') added.push(UNDER_PRESSURE);
    if (added.length > 0 && isObject(pod.spec)) {
      pod.spec['tolerations'] = mergeTolerations(objectsAt(pod.spec, 'tolerations'), added);
    }
    checkAllowed(options, pod, namespace);
  });
}

/** Later steps must not modify it. */
export function keptTolerations(options: PodTolerationOptions): AdmissionPlugin {
  return plugin(options, ({ pod, namespace }) => checkAllowed(options, pod, namespace));
}

interface PodWrite {
  readonly pod: ApiObject;
  readonly namespace: ApiObject;
  readonly isNew: boolean;
}

function plugin({ namespaceOf }: PodTolerationOptions, act: (write: PodWrite) => void): AdmissionPlugin {
  return {
    name: NAME,
    admit(admission) {
      const { object: pod, operation, request } = admission;
      if (pod === undefined || !concerns(admission, PODS)) return undefined;
      if (operation !== 'create' && operation !== 'update') return undefined;
      return whenThere(namespaceOf(request.namespace), (namespace) => {
        if (namespace === undefined) {
          throw errors.notFound({ group: '', resource: 'namespaces', name: request.namespace });
        }
        act({ pod, namespace, isNew: operation === 'create' });
      });
    },
  };
}

function checkAllowed({ allowed }: PodTolerationOptions, pod: ApiObject, namespace: ApiObject): void {
  const tolerations = isObject(pod.spec) ? objectsAt(pod.spec, 'tolerations') : [];
  if (tolerations.length === 0) return;
  const own = tolerationsIn(namespace, ALLOWED);
  const list = own ?? allowed;
  if (list.length === 0 || tolerations.every((each) => list.some((wide) => covers(wide, each)))) return;
  const scope = own === undefined ? 'cluster' : 'namespace';
  throw errors.unexplained(
    `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`,
  );
}

/** Undefined without an annotation. @throws ApiError 500 for an invalid list of tolerations */
function tolerationsIn({ metadata }: ApiObject, annotation: string): readonly JsonObject[] | undefined {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  if (text === '') return [];
  const value = readJson(text);
  if (value === null) return undefined;
  if (!Array.isArray(value)) throw mistyped(value, '[]v1.Toleration');
  return value.map((item) => {
    if (!isObject(item)) throw mistyped(item, 'v1.Toleration');
    return item;
  });
}

function readJson(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof JsonError ? errors.unexplained(error.message) : error;
  }
}

function mistyped(value: Json, type: string): ApiError {
  return errors.unexplained(`json: cannot unmarshal ${jsonWord(value)} into Go value of type ${type}`);
}
