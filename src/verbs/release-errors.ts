// The wording of validation errors by release: the rules are the same in all releases, but some messages and fields have
// changed.

import { type FieldError, fieldError, fieldErrorBody } from '../api/errors.ts';
import { CURRENT_MINOR, isSince } from '../lifecycle/version.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { CONDITION } from '../resources/validation/conditions.ts';
import { inEarlierWords } from './earlier-errors.ts';

/** A text or a field that changed in a minor release of Kubernetes 1. */
interface Change {
  readonly since: number;
  /** The group of the kinds it is about; all if undefined. */
  readonly group?: string;
  /** The kinds it is about; all if undefined. */
  readonly kinds?: readonly string[];
  /** The errors it is about; all if undefined. */
  readonly type?: FieldError['type'];
  /** The fields whose errors it is about; all if undefined. */
  readonly field?: RegExp;
  /** The texts it is about. */
  readonly from: RegExp;
  /** The new text; the same if undefined. */
  readonly to?: string;
  /** What replaces the match of `field`; nothing if undefined. */
  readonly toField?: string;
}

const ANY = /^/;
const EITHER_ATTRIBUTES = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
/** Fields whose values are those of labels. */
const LABEL_VALUES =
  /labels|selector|\.values\[|(?:taint|toleration)s\[\d+\]\.(?:value|operator)$|\.forZones\[\d+\]\.name$/i;

const CHANGES: readonly Change[] = [
  { since: 35, from: /^((?:name|prefix) part must be no more than \d+) characters$/, to: '$1 bytes' },
  // Values of labels; names of most objects keep the word.
  { since: 35, field: LABEL_VALUES, from: /^(must be no more than 63) characters$/, to: '$1 bytes' },
  {
    since: 35,
    kinds: ['DeviceClass', 'ReplicationController'],
    field: /^metadata\.name$/,
    from: /^(must be no more than 253) characters$/,
    to: '$1 bytes',
  },
  { since: 35, from: /\ba qualified name must consist/, to: 'a valid label key must consist' },
  { since: 35, field: /^scheduling\.tolerations\.tolerations/, from: ANY, toField: 'scheduling.tolerations' },
  {
    since: 35,
    group: 'resource.k8s.io',
    type: 'FieldValueDuplicate',
    field: /(\[\d+\])\.name$/,
    from: ANY,
    toField: '$1',
  },
  {
    since: 36,
    field: /\.resizePolicy$/,
    from: /when `restartPolicy` is 'Never'$/,
    to: "when pod `restartPolicy` is 'Never'",
  },
  {
    since: 37,
    field: /\.allocatedResourcesStatus\[\d+\]\.name$/,
    from: /in a format 'claim:<claimName>\/<request>' or 'claim:<claimName>' if request is empty$/,
    to: "as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or 'claim:<claimName>' when it is empty",
  },
  { since: 37, field: /^roleRef$/, from: /^cannot change roleRef$/, to: 'field is immutable' },
  { since: 37, field: /\.securityContext\.shareProcessNamespace$/, from: ANY, toField: '.shareProcessNamespace' },
  {
    since: 37,
    field: /^spec\.nonResourceAttributes$/,
    from: /^cannot be specified in combination with resourceAttributes$/,
    to: EITHER_ATTRIBUTES,
    toField: 'spec',
  },
  { since: 37, field: /^spec\.resourceAttributes$/, from: new RegExp(`^${EITHER_ATTRIBUTES}$`), toField: 'spec' },
];

/** The first minor release that does not validate the items of a list of devices that has too many. */
const COUNTS_FIRST = 35;
/** The first minor release that reports a driver without a name once: its name is required. */
const WITHOUT_NAMELESS_DRIVERS = 35;
/** The first minor release that reports a condition without a type or status once: these are required. */
const CONDITION_MEMBERS_REQUIRED = 37;
const DRIVER = /(?:^|\.)(?:driver|attacher|drivers\[\d+\]\.name)$/;

/** The first minor release that validates no update twice: before and after the comparison with the stored object. */
const WITHOUT_REPETITION = 37;
/** The groups of the extension and aggregation servers within kube-apiserver, which still repeat errors of metadata. */
const REPEATING: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** The errors of hand-written and declared rules in the words of a minor release. */
export function inReleaseWords(
  found: readonly FieldError[],
  { minor, custom, group, kind }: Pick<ResourceDefinition, 'minor' | 'custom' | 'group' | 'kind'>,
): readonly FieldError[] {
  const changes = CHANGES.filter(
    (change) =>
      isSince({ minor }, change.since) && (change.group ?? group) === group && change.kinds?.includes(kind) !== false,
  );
  const few = group === 'resource.k8s.io' && isSince({ minor }, COUNTS_FIRST) ? withoutItemsOfMany(found) : found;
  const named = isSince({ minor }, WITHOUT_NAMELESS_DRIVERS) ? withoutNamelessDrivers(few) : few;
  const told = isSince({ minor }, CONDITION_MEMBERS_REQUIRED) ? withRequiredMembers(named) : named;
  const worded = changes.length === 0 ? told : told.map((error) => reworded(error, changes));
  if (!isSince({ minor }, CURRENT_MINOR)) return inEarlierWords(worded, { minor, custom, group });
  if (custom) return worded;
  return isSince({ minor }, WITHOUT_REPETITION) && !REPEATING.has(group) ? withoutRepetition(worded) : worded;
}

function reworded(error: FieldError, changes: readonly Change[]): FieldError {
  let { field, detail } = error;
  for (const change of changes) {
    if ((change.type ?? error.type) !== error.type) continue;
    if (!change.from.test(detail) || change.field?.test(field) === false) continue;
    if (change.to !== undefined) detail = detail.replace(change.from, change.to);
    if (change.toField !== undefined && change.field !== undefined) field = field.replace(change.field, change.toField);
  }
  return detail === error.detail && field === error.field ? error : { ...error, field, detail };
}

function withoutNamelessDrivers(found: readonly FieldError[]): readonly FieldError[] {
  const missing = found.filter(({ type, field }) => type === 'FieldValueRequired' && DRIVER.test(field));
  const isMalformed = ({ type, detail }: FieldError) => type === 'FieldValueInvalid' && !detail.includes('immutable');
  return found.filter((error) => !isMalformed(error) || missing.every(({ field }) => field !== error.field));
}

function withoutItemsOfMany(found: readonly FieldError[]): readonly FieldError[] {
  const long = new Set(found.filter(({ type }) => type === 'FieldValueTooMany').map(({ field }) => field));
  if (long.size === 0) return found;
  const isOfLong = (field: string): boolean => {
    for (let at = field.indexOf('['); at >= 0; at = field.indexOf('[', at + 1)) {
      if (long.has(field.slice(0, at))) return true;
    }
    return false;
  };
  return found.filter(({ field }) => !isOfLong(field));
}

/** Errors of conditions: a missing field is reported once, as required, and a repeated type for the whole condition. */
function withRequiredMembers(found: readonly FieldError[]): readonly FieldError[] {
  const missing = new Set<string>();
  return found.flatMap((error) => {
    const { origin, type, field, value } = error;
    if (origin !== CONDITION) return [error];
    if (type === 'FieldValueDuplicate') return [{ ...error, field: field.replace(/\.type$/, '') }];
    const member = value === '' ? /\.(?:type|status)$/.exec(field)?.[0] : undefined;
    if (member === undefined) return [error];
    if (missing.has(field)) return [];
    missing.add(field);
    return [fieldError.required(field, member === '.type' ? 'is required' : '')];
  });
}

function withoutRepetition(found: readonly FieldError[]): readonly FieldError[] {
  const seen = new Set<string>();
  return found.filter((error) => {
    const text = `${error.field}: ${fieldErrorBody(error)}`;
    return seen.has(text) ? false : seen.add(text);
  });
}
