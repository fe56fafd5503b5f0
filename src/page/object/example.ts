// An example of a kind to begin a new object with: the fields that its type requires, those that are usually wanted, and
// what the type says about each.

import { Document, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { lookup } from '../../base/lookup.ts';
import type { KindSchema, Schema } from './schema.ts';

interface ExampleNames {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for cluster-scoped kinds. */
  readonly namespace: string | undefined;
}

type Members = { readonly [name: string]: unknown };

/** Required fields may require others in turn; types may contain themselves. */
const MAX_DEPTH = 12;
/** The most letters of a description. */
const MAX_DESCRIPTION = 160;

const CONTAINER = { name: 'example', image: 'registry.example/app:1.0' };
const LABELS = { app: 'example' };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [CONTAINER] } };
const JOB = { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER] } } };
const WORKLOAD = { selector: { matchLabels: LABELS }, template: TEMPLATE };

/** What objects of a kind are of no use without, though their types do not require it. */
const WANTED: Readonly<Record<string, Members>> = lookup({
  Pod: { spec: { containers: [CONTAINER] } },
  Deployment: { spec: { replicas: 1, ...WORKLOAD } },
  ReplicaSet: { spec: { replicas: 1, ...WORKLOAD } },
  StatefulSet: { spec: { replicas: 1, serviceName: 'example', ...WORKLOAD } },
  DaemonSet: { spec: WORKLOAD },
  Job: { spec: JOB },
  CronJob: { spec: { schedule: '0 4 * * *', jobTemplate: { spec: JOB } } },
  Service: { spec: { selector: LABELS, ports: [{ port: 80, targetPort: 8080 }] } },
  Ingress: {
    spec: {
      rules: [
        {
          host: 'example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'example', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  ConfigMap: { data: { key: 'value' } },
  Secret: { stringData: { key: 'value' } },
  PersistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  HorizontalPodAutoscaler: {
    spec: {
      minReplicas: 1,
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'example' },
    },
  },
  PodDisruptionBudget: { spec: { minAvailable: 1, selector: { matchLabels: LABELS } } },
  NetworkPolicy: { spec: { podSelector: { matchLabels: LABELS }, policyTypes: ['Ingress'] } },
  Role: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }] },
  ClusterRole: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }] },
});

/** Returns an example as YAML, with the descriptions of its fields as comments. */
export function exampleOf(type: KindSchema, { apiVersion, kind, namespace }: ExampleNames): string {
  const wanted = Object.hasOwn(WANTED, kind) ? WANTED[kind]! : {};
  const {
    apiVersion: _,
    kind: __,
    metadata: ___,
    ...members
  } = filled(type, { schema: type.resolve(type.root), wanted, depth: 0 }) as Members;
  const spec =
    type.at(['spec']) === undefined || 'spec' in members
      ? {}
      : { spec: filled(type, { schema: type.at(['spec'])!, wanted: {}, depth: 0 }) };
  const metadata = { name: 'example', ...(namespace !== undefined && { namespace }) };
  const document = new Document(
    { apiVersion, kind, metadata, ...spec, ...members },
    { version: '1.1', aliasDuplicateObjects: false },
  );
  describe(type, document.contents as Node, []);
  return document.toString({ lineWidth: 0 });
}

interface Wanted {
  readonly schema: Schema;
  readonly wanted: unknown;
  readonly depth: number;
}

/** Returns a value of a type with the members that are wanted and those that are required. */
function filled(type: KindSchema, { schema, wanted, depth }: Wanted): unknown {
  const { properties = {}, required = [], items } = schema;
  if (Array.isArray(wanted)) {
    return items === undefined
      ? wanted
      : wanted.map((item) => filled(type, { schema: type.resolve(items), wanted: item, depth: depth + 1 }));
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    found[name] =
      declared === undefined
        ? value
        : filled(type, { schema: type.resolve(declared), wanted: value, depth: depth + 1 });
  }
  for (const name of required) {
    if (Object.hasOwn(found, name) || !Object.hasOwn(properties, name)) continue;
    found[name] = placeholder(type, type.resolve(properties[name]!), depth + 1);
  }
  return found;
}

/** Returns the simplest value of a type. */
function placeholder(type: KindSchema, schema: Schema, depth: number): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'array') {
    return schema.items === undefined || depth > MAX_DEPTH
      ? []
      : [placeholder(type, type.resolve(schema.items), depth + 1)];
  }
  if (schema.type === 'integer' || schema.type === 'number') return 0;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'string') return '';
  return depth > MAX_DEPTH ? {} : filled(type, { schema, wanted: {}, depth });
}

/** Puts the description of each field above it. */
function describe(type: KindSchema, node: Node, path: readonly (string | number)[]): void {
  if (isSeq(node)) {
    for (const [at, item] of node.items.entries()) describe(type, item as Node, [...path, at]);
  }
  if (!isMap(node)) return;
  const isItem = typeof path.at(-1) === 'number';
  for (const [index, pair] of node.items.entries()) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    const name = String(pair.key.value);
    const at = [...path, name];
    if (path.length === 0 && ['apiVersion', 'kind', 'metadata'].includes(name)) continue;
    // Names of labels and the like are not declared.
    const isDeclared = Object.hasOwn(type.at(path)?.properties ?? {}, name);
    const text = isDeclared ? firstSentence(type.at(at)?.description ?? '') : '';
    // Above the dash of an item.
    if (text !== '') (isItem && index === 0 ? node : (pair.key as Node)).commentBefore = ` ${text}`;
    describe(type, pair.value as Node, at);
  }
}

/** Returns the first sentence of a description, in one line; a long one is cut at a word. @internal */
export function firstSentence(description: string): string {
  const whole = description.trim();
  const end = whole.search(/\.\s+[A-Z]/);
  const text = whole.slice(0, end < 0 ? whole.length : end + 1).replace(/\s+/g, ' ');
  if (text.length <= MAX_DESCRIPTION) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MAX_DESCRIPTION))} …`;
}
