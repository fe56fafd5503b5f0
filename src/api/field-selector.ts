// Field selectors: the text of a `fieldSelector` parameter as requirements and a predicate. Which fields a kind lets
// one select on is the kind's business; the words of the refusal are here.

/** One `field=value` or, negated, `field!=value`. */
export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly negated: boolean;
}

export interface FieldSelector {
  /** Sorted by their text, as Kubernetes reads them. */
  readonly requirements: readonly FieldRequirement[];
  /** Whether it selects everything. */
  readonly empty: boolean;
  /** Whether every requirement holds; `fieldValue` gives a field's value, '' where there is none. */
  matches(fieldValue: (field: string) => string): boolean;
  /** The one value that the field must have, if the selector says so: `metadata.name=x` selects one name. */
  exactValue(field: string): string | undefined;
  /** The canonical text. */
  toString(): string;
}

/** A selector that cannot be read; the message is Kubernetes'. */
export class FieldSelectorError extends Error {
  override name = 'FieldSelectorError';
}

/** @throws FieldSelectorError */
export function parseFieldSelector(text: string): FieldSelector {
  const requirements = splitAtCommas(text)
    .filter((term) => term !== '')
    .sort()
    .map((term) => readTerm(term, text))
    // No value of no field: nothing is asked.
    .filter(({ field, value }) => field !== '' || value !== '');
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (fieldValue) =>
      requirements.every(({ field, value, negated }) => (fieldValue(field) === value) !== negated),
    exactValue: (field) => requirements.find((each) => each.field === field && !each.negated)?.value,
    toString: () => requirements.map(termText).join(','),
  };
}

/** Commas behind a backslash belong to a value. */
function splitAtCommas(text: string): string[] {
  return text.match(/(?:\\[\s\S]|[^\\,]|\\$)+/g) ?? [];
}

function readTerm(term: string, selector: string): FieldRequirement {
  const found = /!=|==?/.exec(term);
  if (found === null) throw new FieldSelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const value = unescaped(term.slice(found.index + found[0].length));
  return { field: term.slice(0, found.index), value, negated: found[0] === '!=' };
}

function unescaped(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  return text.replace(/\\([\s\S]?)|[,=]/gu, (match, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new FieldSelectorError(`invalid field selector: unescaped character in value: ${match.charCodeAt(0)}`);
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new FieldSelectorError(`invalid field selector: invalid escape sequence: ${match}`);
    }
    return escaped;
  });
}

function termText({ field, value, negated }: FieldRequirement): string {
  return `${field}${negated ? '!=' : '='}${value.replace(/[\\,=]/g, '\\$&')}`;
}

/** The value that a selector asks a field to have; undefined where it asks for none, and for what is not a selector. */
export function pinnedFieldIn(text: string, field: string): string | undefined {
  for (const requirement of text.split(',')) {
    const [, name, value] = /^([^=!]+)==?([^=!]+)$/.exec(requirement) ?? [];
    if (name === field) return value;
  }
  return undefined;
}

/** Refusal of a field by the kinds that select on metadata alone. */
function onlyMetadataMessage(field: string): string {
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** Refusal of a field by kinds with selectable fields of their own, and by custom resources. */
function notSupportedMessage(field: string): string {
  return `field label not supported: ${field}`;
}

/** Refusal of a field by the few kinds that name themselves: `resource.k8s.io/v1, Kind=ResourceSlice`. */
function notSupportedByKindMessage(field: string, kind: { apiVersion: string; kind: string }): string {
  return `field label not supported for ${kind.apiVersion}, Kind=${kind.kind}: ${field}`;
}

/** How a kind words that it cannot be selected by a field. */
type UnknownFieldWording = 'onlyMetadata' | 'notSupported' | 'notSupportedByKind' | 'notSupportedForKind';

/** What of a resource decides how it refuses a field. */
interface SelectableKind {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly { readonly version: string }[];
  readonly strategy: { readonly unknownField?: UnknownFieldWording };
}

/** Refusal of a field that is not selectable, in the wording of its kind. */
export function unsupportedField({ group, kind, versions, strategy }: SelectableKind, field: string): string {
  switch (strategy.unknownField ?? 'onlyMetadata') {
    case 'onlyMetadata':
      return onlyMetadataMessage(field);
    case 'notSupported':
      return notSupportedMessage(field);
    case 'notSupportedByKind':
      return notSupportedByKindMessage(field, { apiVersion: `${group}/${versions[0]?.version ?? ''}`, kind });
    case 'notSupportedForKind':
      return `field label ${JSON.stringify(field)} not supported for ${kind}`;
  }
}
