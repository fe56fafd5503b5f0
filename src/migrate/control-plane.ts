// Migrations of API server configuration: flow control, events, webhooks, CustomResourceDefinitions and
// CertificateSigningRequests.

import type { YAMLMap } from 'yaml';
import { has, itemsAt, type Manifest, mapAt, rename, sequence, setValue, take, textOf, valueAt } from './manifest.ts';

const SHARES = 30;
const ZERO_SHARES = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** In v1, 0 shares mean none; before, they meant the default. */
export function migratePriorityLevel(manifest: Manifest): void {
  const limited = mapAt(manifest.root, 'spec', 'limited');
  const annotations = mapAt(manifest.root, 'metadata', 'annotations');
  const preserves = take(annotations, ZERO_SHARES) !== undefined;
  rename(limited, 'assuredConcurrencyShares', 'nominalConcurrencyShares');
  if (limited === undefined || preserves || valueAt(limited, 'nominalConcurrencyShares') !== 0) return;
  setValue(limited, 'nominalConcurrencyShares', manifest.node(SHARES));
  manifest.note(`0 shares meant the default, ${SHARES}, and mean none in flowcontrol v1: ${SHARES} is written down`);
}

/** New events of events.k8s.io/v1 have more required fields, and no deprecated ones. */
export function migrateEvent(manifest: Manifest): void {
  const { root } = manifest;
  const source = mapAt(root, 'deprecatedSource');
  for (const [from, to] of [
    ['component', 'reportingController'],
    ['host', 'reportingInstance'],
  ] as const) {
    const value = take(source, from);
    if (value !== undefined && !has(root, to)) setValue(root, to, value);
  }
  const last = take(root, 'deprecatedLastTimestamp');
  const first = take(root, 'deprecatedFirstTimestamp');
  if (!has(root, 'eventTime') && (first ?? last) !== undefined) setValue(root, 'eventTime', first ?? last);
  const dropped = ['deprecatedSource', 'deprecatedCount'].filter((member) => take(root, member) !== undefined);
  if (dropped.length > 0) manifest.note(`new events may not have ${dropped.join(' and ')}: dropped`);
  const missing = ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason'].filter(
    (member) => !has(root, member),
  );
  if (missing.length > 0) manifest.note(`new events need ${missing.join(', ')}: add them`);
  const type = textOf(root, 'type');
  if (type !== 'Normal' && type !== 'Warning') manifest.note(`type ${JSON.stringify(type)} must be Normal or Warning`);
}

const WEBHOOK_DEFAULTS = [
  { member: 'failurePolicy', value: 'Ignore', now: 'Fail' },
  { member: 'matchPolicy', value: 'Exact', now: 'Equivalent' },
  { member: 'timeoutSeconds', value: 30, now: '10' },
] as const;

/** Defaults changed, and two fields became required. */
export function migrateWebhooks(manifest: Manifest): void {
  for (const webhook of itemsAt(manifest.root, 'webhooks')) {
    const name = textOf(webhook, 'name');
    for (const { member, value, now } of WEBHOOK_DEFAULTS) {
      if (has(webhook, member)) continue;
      setValue(webhook, member, manifest.node(value));
      manifest.note(`webhook ${name}: ${member} was ${value} by default and is ${now} now: written down`);
    }
    if (!has(webhook, 'admissionReviewVersions'))
      setValue(webhook, 'admissionReviewVersions', manifest.node(['v1beta1']));
    const effects = textOf(webhook, 'sideEffects');
    if (effects === 'None' || effects === 'NoneOnDryRun') continue;
    manifest.note(`webhook ${name}: sideEffects must be None or NoneOnDryRun: say which`);
  }
}

/** Settings common to all versions of a definition are part of each version. */
export function migrateDefinition(manifest: Manifest): void {
  const spec = mapAt(manifest.root, 'spec');
  if (spec === undefined) return;
  const version = textOf(spec, 'version');
  if (itemsAt(spec, 'versions').length === 0) {
    setValue(spec, 'versions', sequence([manifest.node({ name: version, served: true, storage: true })]));
  }
  take(spec, 'version');
  const schema = take(spec, 'validation');
  const subresources = take(spec, 'subresources');
  const columns = take(spec, 'additionalPrinterColumns');
  const prunes = valueAt(spec, 'preserveUnknownFields') === false;
  take(spec, 'preserveUnknownFields');
  for (const each of itemsAt(spec, 'versions')) {
    if (schema !== undefined && !has(each, 'schema')) setValue(each, 'schema', schema);
    if (!has(each, 'schema')) setValue(each, 'schema', manifest.node({ openAPIV3Schema: { type: 'object' } }));
    if (subresources !== undefined && !has(each, 'subresources')) setValue(each, 'subresources', subresources);
    if (columns !== undefined && !has(each, 'additionalPrinterColumns'))
      setValue(each, 'additionalPrinterColumns', columns);
    for (const column of itemsAt(each, 'additionalPrinterColumns')) rename(column, 'JSONPath', 'jsonPath');
    preserve(manifest, mapAt(each, 'schema', 'openAPIV3Schema'), prunes);
  }
  if (!prunes) {
    manifest.note(
      'unknown fields were kept by default and are pruned in v1: x-kubernetes-preserve-unknown-fields keeps them',
    );
  }
  migrateConversion(manifest, mapAt(spec, 'conversion'));
}

function preserve(manifest: Manifest, schema: YAMLMap | undefined, prunes: boolean): void {
  if (schema === undefined) return;
  if (!has(schema, 'type')) setValue(schema, 'type', manifest.node('object'));
  if (prunes || has(schema, 'x-kubernetes-preserve-unknown-fields')) return;
  setValue(schema, 'x-kubernetes-preserve-unknown-fields', manifest.node(true));
}

function migrateConversion(manifest: Manifest, conversion: YAMLMap | undefined): void {
  const clientConfig = take(conversion, 'webhookClientConfig');
  const versions = take(conversion, 'conversionReviewVersions');
  if (conversion === undefined || clientConfig === undefined) return;
  const webhook = manifest.node({}) as YAMLMap;
  setValue(webhook, 'clientConfig', clientConfig);
  setValue(webhook, 'conversionReviewVersions', versions ?? manifest.node(['v1beta1']));
  setValue(conversion, 'webhook', webhook);
}

/** Signers and usages became required. */
export function migrateSigningRequest(manifest: Manifest): void {
  const spec = mapAt(manifest.root, 'spec');
  if (!has(spec, 'signerName')) manifest.note('spec.signerName is required: name the signer');
  if (!has(spec, 'usages')) manifest.note('spec.usages is required: list the usages');
}
