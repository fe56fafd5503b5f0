// CustomResourceDefinitions and objects as large and varied as those of popular projects: certificates, application
// delivery, monitoring, gateways, infrastructure. Each family reproduces what is special about its model; names, fields
// and texts are our own.

import type { JsonObject } from '../../src/api/object.ts';

export interface Family {
  readonly name: string;
  /** As first installed, and after an upgrade of the project. */
  readonly definitions: readonly JsonObject[];
  readonly upgraded: readonly JsonObject[];
  readonly objects: readonly JsonObject[];
  /** A path in the first object, its defaulted value, and the value added by the upgrade. */
  readonly defaulted: readonly [path: string, value: string];
  /** The first object with an error, and the error that kubectl prints. */
  readonly wrong: readonly [object: JsonObject, said: RegExp];
  /** The output of `kubectl get` for the first object. */
  readonly columns: RegExp;
  /** Whether a definition is too large for kubectl's last-applied annotation. */
  readonly tooLargeToApplyByClient: boolean;
}

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer', format: 'int32' };
const flag: JsonObject = { type: 'boolean' };
const duration: JsonObject = { type: 'string', pattern: '^([0-9]+(ms|s|m|h))+$' };
const labels: JsonObject = { type: 'object', additionalProperties: text };
const quantity: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: '^[+-]?[0-9.]+([eEinumkKMGTP]*[-+]?[0-9]*)$',
  'x-kubernetes-int-or-string': true,
};
const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function list(items: JsonObject, keyword: JsonObject = { 'x-kubernetes-list-type': 'atomic' }): JsonObject {
  return { type: 'array', items, ...keyword };
}

function keyed(items: JsonObject, ...keys: string[]): JsonObject {
  return list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
}

function oneOf(...values: string[]): JsonObject {
  return { type: 'string', enum: values };
}

/**
 * Returns `count` fields with descriptions, every eighth an object with six fields: this makes such definitions long.
 */
function prose(subject: string, count: number, depth = 0): JsonObject {
  const kinds = [text, integer, flag, list(text), labels, quantity];
  const properties: JsonObject = {};
  for (let at = 0; at < count; at++) {
    const description = `Setting ${at} of ${subject}. When it is left out, the controller decides by what it finds in the cluster, and writes into the status what it decided.`;
    const block = at % 8 === 7 && depth < 4;
    properties[`setting${at}`] = {
      description,
      ...(block ? prose(`${subject}.setting${at}`, 6 + (at % 5), depth + 1) : kinds[at % kinds.length]),
    };
  }
  return object(properties);
}

/** The conditions that nearly every status has. */
const conditions = keyed(
  object(
    {
      type: text,
      status: oneOf('True', 'False', 'Unknown'),
      reason: { type: 'string', maxLength: 1024 },
      message: { type: 'string', maxLength: 32_768 },
      lastTransitionTime: { type: 'string', format: 'date-time' },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    },
    ['type', 'status'],
  ),
  'type',
);
const READY = '.status.conditions[?(@.type=="Ready")].status';

interface Kind {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly scope?: 'Cluster' | 'Namespaced';
  readonly names?: JsonObject;
  readonly columns?: readonly JsonObject[];
  readonly versions: readonly { readonly name: string; readonly storage?: boolean; readonly spec: JsonObject }[];
}

function definition({
  group,
  plural,
  kind,
  scope = 'Namespaced',
  names = {},
  columns = [],
  versions,
}: Kind): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      labels: { family: group },
      annotations: { 'example.com/built-by': 'hand' },
    },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List`, ...names },
      versions: versions.map(({ name, storage = false, spec }) => ({
        name,
        storage,
        served: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          ...columns,
          { name: 'Ready', type: 'string', jsonPath: READY },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            description: `${kind} is what is wanted, and what has become of it.`,
            ...object(
              { apiVersion: text, kind: text, metadata: { type: 'object' }, spec, status: object({ conditions }) },
              ['spec'],
            ),
          },
        },
      })),
    },
  };
}

/** Several small kinds with varied names, enums, patterns and formats. */
function certificates(): Family {
  const group = 'certificates.example.com';
  const reference = object({ name: text, kind: { ...text, default: 'Issuer' }, group: text }, ['name']);
  const spec = (more: JsonObject = {}) =>
    object(
      {
        secretName: text,
        dnsNames: list({ type: 'string', format: 'hostname' }),
        ipAddresses: list(text),
        duration,
        renewBefore: duration,
        usages: list(oneOf('signing', 'digital signature', 'server auth', 'client auth')),
        privateKey: object({
          algorithm: { ...oneOf('RSA', 'ECDSA', 'Ed25519'), default: 'ECDSA' },
          size: { type: 'integer', enum: [256, 384, 521, 2048, 4096] },
          rotationPolicy: { ...oneOf('Never', 'Always'), default: 'Always' },
        }),
        issuerRef: reference,
        keystores: prose('the keystores', 24),
        ...more,
      },
      ['secretName', 'issuerRef'],
    );
  const issuer = object({ acme: prose('the account', 60), selfSigned: anything, vault: prose('the vault', 40) });
  const certificate = (versions: Kind['versions']) =>
    definition({
      group,
      plural: 'certificates',
      kind: 'Certificate',
      names: { shortNames: ['crt', 'crts'], categories: ['security'] },
      columns: [{ name: 'Secret', type: 'string', jsonPath: '.spec.secretName' }],
      versions,
    });
  const issuers = [
    definition({ group, plural: 'issuers', kind: 'Issuer', versions: [{ name: 'v1', storage: true, spec: issuer }] }),
    definition({
      group,
      plural: 'clusterissuers',
      kind: 'ClusterIssuer',
      scope: 'Cluster',
      versions: [{ name: 'v1', storage: true, spec: issuer }],
    }),
  ];
  const wanted = {
    secretName: 'web-tls',
    dnsNames: ['shop.example.com'],
    duration: '2160h',
    privateKey: { size: 384 },
  };
  const one = instance(group, 'v1', 'Certificate', 'web', { ...wanted, issuerRef: { name: 'ca' } });
  return {
    name: 'certificates',
    definitions: [certificate([{ name: 'v1', storage: true, spec: spec() }]), ...issuers],
    upgraded: [
      certificate([{ name: 'v1', storage: true, spec: spec({ added: { ...text, default: 'later' } }) }]),
      ...issuers,
    ],
    objects: [one, instance(group, 'v1', 'Issuer', 'ca', { selfSigned: {} })],
    defaulted: ['.spec.privateKey.algorithm', 'ECDSA'],
    wrong: [changed(one, { duration: 'a year' }), /spec\.duration.*should match/],
    columns: /^NAME +SECRET +READY +AGE\nweb +web-tls +True +\S+$/,
    tooLargeToApplyByClient: false,
  };
}

/** A spec with open parts: unknown fields, embedded manifests, alternatives. */
function delivery(): Family {
  const group = 'delivery.example.com';
  const source = object(
    {
      repository: { type: 'string', format: 'uri' },
      path: text,
      revision: { ...text, default: 'HEAD' },
      values: anything,
      parameters: keyed(object({ name: text, value: text, force: flag }, ['name']), 'name'),
      settings: prose('the source', 48),
    },
    ['repository'],
  );
  const spec = (more: JsonObject = {}) => ({
    ...object(
      {
        project: { ...text, default: 'default' },
        source,
        sources: list(source),
        destination: object({ server: text, name: text, namespace: text }),
        sync: object({
          automated: object({ prune: flag, heal: flag }),
          options: list(text, { 'x-kubernetes-list-type': 'set' }),
          retry: object({ limit: { type: 'integer', format: 'int64', default: 5 }, backoff: duration }),
        }),
        extra: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true, type: 'object' },
        ...more,
      },
      ['destination'],
    ),
    oneOf: [{ required: ['source'] }, { required: ['sources'] }],
  });
  const application = (more: JsonObject = {}) =>
    definition({
      group,
      plural: 'applications',
      kind: 'Application',
      names: { shortNames: ['app', 'apps'] },
      columns: [{ name: 'Project', type: 'string', jsonPath: '.spec.project' }],
      versions: [{ name: 'v1alpha1', storage: true, spec: spec(more) }],
    });
  const one = instance(group, 'v1alpha1', 'Application', 'shop', {
    source: {
      repository: 'https://git.example.com/shop',
      values: { image: { tag: 1.5 }, list: [1, 'two', { three: [] }] },
      parameters: [{ name: 'colour', value: 'blue' }],
    },
    destination: { namespace: 'shop' },
    sync: { options: ['CreateNamespace=true'], retry: { backoff: '5s' } },
    extra: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'within' }, data: { a: 'b' } },
  });
  return {
    name: 'delivery',
    definitions: [application()],
    upgraded: [application({ added: { ...text, default: 'later' } })],
    objects: [one],
    defaulted: ['.spec.sync.retry.limit', '5'],
    wrong: [changed(one, { sources: [] }), /spec.*must validate one and only one schema \(oneOf\)/],
    columns: /^NAME +PROJECT +READY +AGE\nshop +default +True +\S+$/,
    tooLargeToApplyByClient: false,
  };
}

/** One kind whose definition is too large for an annotation: it embeds a whole pod template with descriptions. */
function monitoring(): Family {
  const group = 'monitoring.example.com';
  const resources = object({
    limits: { type: 'object', additionalProperties: quantity },
    requests: { type: 'object', additionalProperties: quantity },
  });
  const container = object({ name: text, image: text, resources, ...within(prose('the container', 80)) }, ['name']);
  const spec = (more: JsonObject = {}) =>
    object({
      replicas: { ...integer, default: 2 },
      retention: { ...duration, default: '24h' },
      resources,
      containers: keyed(container, 'name'),
      initContainers: keyed(container, 'name'),
      ports: keyed(object({ port: integer, protocol: { ...text, default: 'TCP' } }, ['port']), 'port', 'protocol'),
      storage: object({ template: anything }),
      settings: prose('the monitor', 400),
      ...more,
    });
  const monitor = (more: JsonObject = {}) =>
    definition({
      group,
      plural: 'monitors',
      kind: 'Monitor',
      names: { shortNames: ['mon'] },
      columns: [{ name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' }],
      versions: [{ name: 'v1', storage: true, spec: spec(more) }],
    });
  const one = instance(group, 'v1', 'Monitor', 'main', {
    containers: [{ name: 'main', image: 'example.com/monitor:1', resources: { limits: { cpu: 1, memory: '2Gi' } } }],
    ports: [{ port: 9090 }, { port: 9090, protocol: 'UDP' }],
  });
  const twice = [{ port: 9090 }, { port: 9090, protocol: 'TCP' }];
  return {
    name: 'monitoring',
    definitions: [monitor()],
    upgraded: [monitor({ added: { ...text, default: 'later' } })],
    objects: [one],
    defaulted: ['.spec.ports[0].protocol', 'TCP'],
    wrong: [changed(one, { ports: twice }), /spec\.ports\[1\]: Duplicate value/],
    columns: /^NAME +DESIRED +READY +AGE\nmain +2 +True +\S+$/,
    tooLargeToApplyByClient: true,
  };
}

/** Several versions, with the storage version changed by the upgrade, and defaults deep in lists. */
function gateways(): Family {
  const group = 'gateways.example.com';
  const listener = object(
    {
      name: { type: 'string', minLength: 1, maxLength: 253 },
      port: { type: 'integer', format: 'int32', minimum: 1, maximum: 65_535 },
      protocol: { type: 'string', pattern: '^[a-zA-Z0-9]+$', maxLength: 255 },
      allowedRoutes: {
        ...object({ namespaces: { ...object({ from: { ...oneOf('All', 'Same'), default: 'Same' } }), default: {} } }),
        default: { namespaces: { from: 'Same' } },
      },
      tls: object({ mode: { ...oneOf('Terminate', 'Passthrough'), default: 'Terminate' }, options: labels }),
    },
    ['name', 'port', 'protocol'],
  );
  const spec = (more: JsonObject = {}) =>
    object(
      {
        className: { type: 'string', minLength: 1 },
        listeners: { ...keyed(listener, 'name'), minItems: 1, maxItems: 64 },
        infrastructure: prose('the infrastructure', 80),
        ...more,
      },
      ['className', 'listeners'],
    );
  const gateway = (versions: Kind['versions']) =>
    definition({
      group,
      plural: 'gateways',
      kind: 'Gateway',
      names: { shortNames: ['gtw'], categories: ['network'] },
      columns: [{ name: 'Class', type: 'string', jsonPath: '.spec.className' }],
      versions,
    });
  const listeners = [{ name: 'http', port: 80, protocol: 'HTTP' }];
  const one = instance(group, 'v1beta1', 'Gateway', 'front', { className: 'fast', listeners });
  const added = spec({ added: { ...text, default: 'later' } });
  return {
    name: 'gateways',
    definitions: [gateway([{ name: 'v1beta1', storage: true, spec: spec() }])],
    upgraded: [
      gateway([
        { name: 'v1', storage: true, spec: added },
        { name: 'v1beta1', spec: added },
      ]),
    ],
    objects: [one],
    defaulted: ['.spec.listeners[0].allowedRoutes.namespaces.from', 'Same'],
    wrong: [
      changed(one, { listeners: [{ name: 'http', port: 80_000, protocol: 'HTTP' }] }),
      /spec\.listeners\[0\]\.port.*less than or equal to 65535/,
    ],
    columns: /^NAME +CLASS +READY +AGE\nfront +fast +True +\S+$/,
    tooLargeToApplyByClient: false,
  };
}

/** Kinds that describe other kinds: schemas and patches as values of unknown structure. */
function infrastructure(): Family {
  const group = 'infrastructure.example.com';
  const step = object({ step: text, functionRef: object({ name: text }, ['name']), input: embedded() }, [
    'step',
    'functionRef',
  ]);
  const spec = (more: JsonObject = {}) =>
    object(
      {
        compositeTypeRef: object({ apiVersion: text, kind: text }, ['apiVersion', 'kind']),
        mode: { ...oneOf('Pipeline', 'Resources'), default: 'Pipeline' },
        pipeline: { ...keyed(step, 'step'), minItems: 1, maxItems: 99 },
        settings: prose('the composition', 60),
        ...more,
      },
      ['compositeTypeRef'],
    );
  const composition = (more: JsonObject = {}) =>
    definition({
      group,
      plural: 'compositions',
      kind: 'Composition',
      scope: 'Cluster',
      names: { shortNames: ['comp'], categories: ['infrastructure'] },
      columns: [{ name: 'Kind', type: 'string', jsonPath: '.spec.compositeTypeRef.kind' }],
      versions: [{ name: 'v1', storage: true, spec: spec(more) }],
    });
  const input = { apiVersion: 'patch.example.com/v1', kind: 'Resources', resources: [{ base: { spec: { size: 5 } } }] };
  const one = instance(group, 'v1', 'Composition', 'database', {
    compositeTypeRef: { apiVersion: 'shop.example.com/v1', kind: 'Database' },
    pipeline: [{ step: 'first', functionRef: { name: 'patch' }, input }],
  });
  return {
    name: 'infrastructure',
    definitions: [composition()],
    upgraded: [composition({ added: { ...text, default: 'later' } })],
    objects: [one],
    defaulted: ['.spec.mode', 'Pipeline'],
    wrong: [
      changed(one, { compositeTypeRef: { kind: 'Database' } }),
      /spec\.compositeTypeRef\.apiVersion: Required value/,
    ],
    columns: /^NAME +KIND +READY +AGE\ndatabase +Database +True +\S+$/,
    tooLargeToApplyByClient: false,
  };
}

function embedded(): JsonObject {
  return { ...anything, 'x-kubernetes-embedded-resource': true };
}

function within(schema: JsonObject): JsonObject {
  return schema['properties'] as JsonObject;
}

function instance(group: string, version: string, kind: string, name: string, ...[spec]: [JsonObject]): JsonObject {
  return { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
}

function changed(object: JsonObject, more: JsonObject): JsonObject {
  return { ...object, spec: { ...(object['spec'] as JsonObject), ...more } };
}

export const families: readonly Family[] = [certificates(), delivery(), monitoring(), gateways(), infrastructure()];
