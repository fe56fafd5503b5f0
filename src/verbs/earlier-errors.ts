// The wording of validation errors in releases before the one that is served by default: messages and fields that have
// changed, and values in Go's syntax.

import type { FieldError } from '../api/errors.ts';
import { isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { EMBEDDED_TYPE } from '../schema/structural/embedded-objects.ts';
import { withGoValues } from './go-values.ts';

/** A text or a field that a minor release of Kubernetes 1 changed. */
interface Earlier {
  /** The first release without it. */
  readonly before: number;
  /** The group of the kinds it is about; all if undefined. */
  readonly group?: string;
  /** Whether it is about custom objects; both if undefined. */
  readonly isCustom?: boolean;
  /** The rule whose errors it is about; all if undefined. */
  readonly origin?: string;
  /** The errors it is about; all if undefined. */
  readonly type?: FieldError['type'];
  /** The fields whose errors it is about; all if undefined. */
  readonly field?: RegExp;
  /** The newer texts. */
  readonly from: RegExp;
  /** The earlier text; the same if undefined. */
  readonly to?: string;
  /** What replaces the match of `field`; nothing if undefined. */
  readonly toField?: string;
}

const ANY = /^/;

/** Errors of missing values that said so in words of their own before 1.34. */
const required = (field: RegExp, to: string, group?: string): Earlier => ({
  before: 34,
  type: 'FieldValueRequired',
  field,
  from: /^$/,
  to,
  ...(group !== undefined && { group }),
});

/** Errors whose text repeated the name of the field before 1.34. */
const named = (field: RegExp, name: string, from: RegExp): Earlier => ({
  before: 34,
  field,
  from,
  to: `${name} $&`,
});

const EARLIER: readonly Earlier[] = [
  ...['kind', 'name', 'uid'].map((name) =>
    named(new RegExp(`^metadata\\.ownerReferences(?:\\[\\d+\\])?\\.${name}$`), name, /^must not be empty$/),
  ),
  named(/validations\[\d+\]\.message$/, 'message', /^must (?:be non-empty if specified|not contain line breaks)$/),
  named(
    /\.x-kubernetes-validations\[\d+\]\.fieldPath$/,
    'fieldPath',
    /^must (?:be non-empty if specified|not contain line breaks|be a valid path)$/,
  ),
  named(/\.selectableFields$/, 'selectableFields', /^may only be set when validations\.schema is included$/),
  {
    before: 34,
    field: /\.selectableFields$/,
    from: /^may only be set when `version\.schema\.openAPIV3Schema` is not included$/,
    to: 'selectableFields may only be set when version.schema.openAPIV3Schema is not included',
  },
  { before: 34, field: /\.variables\[\d+\]\.name$/, from: /^must be (a valid CEL identifier)$/, to: 'name is not $1' },
  required(/^spec\.versions\[\d+\]\.schema\.openAPIV3Schema$/, 'schemas are required'),
  required(/^status\.conditions\[\d+\]\.type$/, 'must not be empty', 'flowcontrol.apiserver.k8s.io'),
  required(/\.conditions\[\d+\]\.reason$/, 'reason cannot be empty', 'internal.apiserver.k8s.io'),
  required(/\.conditions\[\d+\]\.message$/, 'message cannot be empty', 'internal.apiserver.k8s.io'),
  required(/\.conditions\[\d+\]\.(?:lastTransitionTime|reason)$/, 'must be set'),
  required(/\.(?:clientConfig|webhookClientConfig)\.service\.name$/, 'service name is required'),
  required(/\.(?:clientConfig|webhookClientConfig)\.service\.namespace$/, 'service namespace is required'),
  ...['kind', 'name'].map((name) =>
    required(new RegExp(`(?:\\.resource|^spec\\.parameters)\\.${name}$`), `${name} is required`, 'networking.k8s.io'),
  ),
  ...['namespace', 'name', 'kubeletConfigKey'].map((name) =>
    required(
      new RegExp(`\\.(?:configSource|assigned|active|lastKnownGood)\\.configMap\\.${name}$`),
      `${name} must be set`,
    ),
  ),
  required(/\.(?:configSource|assigned|active|lastKnownGood)\.configMap\.uid$/, 'uid must be set in status'),
  required(
    /\.(?:configSource|assigned|active|lastKnownGood)\.configMap\.resourceVersion$/,
    'resourceVersion must be set in status',
  ),
  { before: 34, origin: EMBEDDED_TYPE, from: /^$/, to: 'must not be empty' },
  required(/\.os\.name$/, 'cannot be empty'),
  {
    before: 34,
    group: 'batch',
    field: /^status\.completionTime$/,
    from: /^field is immutable$/,
    to: 'completionTime cannot be mutated',
  },
  {
    before: 34,
    field: /^status\.completionTime$/,
    from: /^must be equal to or after `startTime`$/,
    to: 'completionTime cannot be set before startTime',
  },
  {
    before: 34,
    field: /^status\.uncountedTerminatedPods$/,
    from: /^must be (empty for finished job)$/,
    to: 'uncountedTerminatedPods needs to be $1',
  },
  { before: 34, from: /^when `hostUsers` is false$/, to: 'when `pod.Spec.HostUsers` is false' },
  {
    // The pattern that the text told was the one without underscores.
    before: 34,
    field: /\.dnsConfig\.searches\[\d+\]$/,
    from: /'_\?\[a-z0-9\]\(\[-_a-z0-9\]\*\[a-z0-9\]\)\?\(\\\._\?\[a-z0-9\]\(\[-_a-z0-9\]\*\[a-z0-9\]\)\?\)\*'/,
    to: "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'",
  },
  { before: 34, from: /^claims may not be (set for Resources at pod-level)$/, to: 'claims cannot be $1' },
  {
    before: 34,
    from: /^must be 'Exempt' if and only if `name` is 'exempt'$/,
    to: "type must be 'Exempt' if and only if name is 'exempt'",
  },
  { before: 34, type: 'FieldValueTooMany', from: /\b(at most 1 item)$/, to: '$1s' },
  { before: 34, type: 'FieldValueTooLong', from: /\b(more than 1 byte)$/, to: '$1s' },
  {
    before: 34,
    field: /^status\.allocatedResourceStatuses$/,
    from: ANY,
    toField: 'status.allocatedResourceStatus',
  },
  {
    before: 33,
    field: /^status\.storedVersions\[\d+\]$/,
    from: /^missing from spec\.versions;.*$/s,
    to: 'must appear in spec.versions',
  },
  {
    before: 33,
    group: 'storage.k8s.io',
    field: /^spec\.drivers$/,
    from: /^field is immutable$/,
    toField: 'CSINodeDriver',
  },
  {
    before: 33,
    field: /^status(\.conditions\[\d+\]\.Type)$/,
    from: ANY,
    toField: 'metadata$1',
  },
  {
    before: 33,
    field: /(\.\w+Statuses\[\d+\])\.user\.linux$/,
    from: /^cannot be set for a windows pod$/,
    toField: '$1.linux',
  },
  {
    before: 32,
    type: 'FieldValueTooLong',
    field: /(?:^spec\.managedBy|\.jobTemplate\.spec\.managedBy|\.localhostProfile)$/,
    from: /^may not be more than (\d+) bytes?$/,
    to: 'may not be longer than $1',
  },
  {
    before: 32,
    isCustom: true,
    type: 'FieldValueTooLong',
    field: /^(?!metadata)|^metadata\.(?:name|generateName)$/,
    from: /^may not be more than (\d+) bytes?$/,
    to: 'may not be longer than $1',
  },
  {
    before: 32,
    type: 'FieldValueTooLong',
    from: /^may not be more than (\d+ bytes?)$/,
    to: 'must have at most $1',
  },
  {
    before: 32,
    from: /\. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep\.$/,
    to: '',
  },
  { before: 32, from: /^(must evaluate to [^ ]+) but got .*$/s, to: '$1' },
  { before: 32, from: /^(must evaluate to one of \[.*\]) but got .*$/s, to: '$1' },
  {
    before: 31,
    from: /^may not specify more than 1 volume type per source$/,
    to: 'may not specify more than 1 volume type',
  },
  {
    before: 30,
    field: /\.dnsConfig\.nameservers\[\d+\]$/,
    from: /^must be a valid IP address, .*$/,
    to: 'must be valid IP address',
  },
  {
    before: 30,
    field: /(\.hostAliases)\[\d+\]\.ip$/,
    from: /^must be a valid IP address, .*$/,
    to: 'must be valid IP address',
    toField: '$1.ip',
  },
  { before: 30, field: /(\.hostAliases)\[\d+\]\.hostnames\[\d+\]$/, from: ANY, toField: '$1.hostnames' },
  {
    before: 30,
    group: 'networking.k8s.io',
    field: /\.ipBlock\.(?:cidr|except\[\d+\])$/,
    from: /^must be a valid CIDR value, .*$/,
    to: 'not a valid CIDR',
  },
  {
    before: 30,
    group: 'networking.k8s.io',
    field: /^status\.loadBalancer\.ingress\[\d+\]\.ip$/,
    from: /^must be a valid IP address, .*$/,
    to: 'must be a valid IP address',
  },
  {
    before: 30,
    field: /^spec\.podCIDRs\[\d+\]$/,
    from: /^must be a valid CIDR value, .*$/,
    to: 'must be valid CIDR',
  },
  { before: 31, from: /^must be 'Exists' (when scope is any of ResourceQuotaScope)/, to: "must be 'Exist' $1" },
  {
    before: 32,
    field: /\.allocatedResourcesStatus\[\d+\]\.name$/,
    from: /^(must match one of the container's resource) (?:claims in a format .*|requests)$/,
    to: '$1 requirements',
  },
  {
    before: 32,
    group: 'admissionregistration.k8s.io',
    field: /^spec\.matchResources/,
    from: ANY,
    toField: 'spec.matchResouces',
  },
];

/** The first minor release that writes values as JSON. */
const VALUES_AS_JSON = 34;

/** The errors in the words of a minor release before 1.34; the same for later ones. */
export function inEarlierWords(
  found: readonly FieldError[],
  { minor, custom, group }: Pick<ResourceDefinition, 'minor' | 'custom' | 'group'>,
): readonly FieldError[] {
  if (isSince({ minor }, VALUES_AS_JSON)) return found;
  const earlier = EARLIER.filter(
    (each) =>
      !isSince({ minor }, each.before) && (each.group ?? group) === group && (each.isCustom ?? custom) === custom,
  );
  const worded = found.map((error) => reworded(error, earlier));
  return withGoValues(worded, custom, minor);
}

function reworded(error: FieldError, earlier: readonly Earlier[]): FieldError {
  let { field, detail } = error;
  for (const each of earlier) {
    if ((each.type ?? error.type) !== error.type || (each.origin ?? error.origin) !== error.origin) continue;
    if (!each.from.test(detail) || each.field?.test(field) === false) continue;
    if (each.to !== undefined) detail = detail.replace(each.from, each.to);
    if (each.toField !== undefined && each.field !== undefined) field = field.replace(each.field, each.toField);
  }
  return detail === error.detail && field === error.field ? error : { ...error, field, detail };
}
