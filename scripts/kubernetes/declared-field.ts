// The text of one field of a declaration, in the form of src/schema/build.ts.

import { CURRENT_MINOR } from '../../src/lifecycle/version.ts';
import type { Scope } from './declaration-scope.ts';
import { FIELDS, GATES, overrideOf, SHOWS_USE_OF } from './overrides.ts';
import { inRelease, type Span } from './table.ts';
import type { FieldFacts, Union } from './type-facts.ts';

/** Kinds of nodes that are not made of other types. */
export const SCALARS: RegExp =
  /^(?:string|bool|int32|int64|float64|bytes|quantity|intOrString|time|microTime|duration|raw|fields|json)$/;

interface TableField {
  /** `apps/v1.DaemonSetSpec.selector` */
  readonly name: string;
  readonly spans: readonly Span<FieldFacts>[];
  /** Those of the type that has the field. */
  readonly own: readonly Span<object>[];
}

interface FactsOfField {
  readonly name: string;
  readonly facts: FieldFacts;
  readonly gate: string | undefined;
}

/** A field with its facts in the release served by default, or in the nearest one that has it, then the others. */
export function fieldText({ name, spans: all, own }: TableField, scope: Scope): string {
  const gate = gateOf(name, all);
  const corrected = all.flatMap((span) => correctedFacts(name, span));
  const spans = typeof gate === 'object' ? splitAt(merged(corrected), gate.since) : merged(corrected);
  const gateOfSpan = ({ since = 0 }: Span<FieldFacts>) =>
    typeof gate !== 'object' ? gate : since < gate.since ? undefined : gate.gate;
  const base = inRelease(spans, CURRENT_MINOR) ?? nearest(spans);
  const at = spans.indexOf(base);
  const earlier = spans.slice(0, at).toReversed();
  const untyped = earlier.length === 1 && isUntyped(earlier[0] as FieldFacts, base) ? earlier.pop() : undefined;
  let text = factsText({ name, facts: base, gate: gateOfSpan(base) }, scope);
  if (untyped?.until !== undefined) text = `${text.replace('.atomic()', '')}.atomic(${untyped.until + 1})`;
  const later = spans.slice(at + 1);
  const since = spans[0]?.since;
  const until = spans.at(-1)?.until;
  return [
    text,
    keptRules(all),
    ...earlier.map(
      (span) => `.upTo(${span.until}, ${factsText({ name, facts: span, gate: gateOfSpan(span) }, scope)})`,
    ),
    ...later.map((span) => `.from(${span.since}, ${factsText({ name, facts: span, gate: gateOfSpan(span) }, scope)})`),
    since === undefined || since === own[0]?.since ? '' : `.since(${since})`,
    until === undefined || until === own.at(-1)?.until ? '' : `.until(${until})`,
  ].join('');
}

/** A field as the builder has it, with facts of one release. */
function factsText({ name, facts, gate }: FactsOfField, scope: Scope): string {
  const { n, type } = facts;
  const isStruct = !SCALARS.test(type) && !/^(?:\[\]|map\[)/.test(type);
  let text: string;
  if (isStruct) {
    const how = facts.inline ? 'inline' : facts.pointer ? 'pointer' : 'embedded';
    text = `${scope.build(how)}(${n}, ${scope.type(type)})`;
    if (facts.inline && facts.pointer) text += '.pointer()';
  } else if (type.startsWith('[]')) text = `${scope.build('list')}(${n}, ${argument(type.slice(2), scope)})`;
  else if (type.startsWith('map[string]')) {
    text = `${scope.build('map')}(${n}, ${argument(type.slice('map[string]'.length), scope)})`;
  } else text = `${scope.build(type)}(${n})`;
  if (!isStruct && facts.pointer) text += '.pointer()';
  if (!facts.inline) text += presence(facts);
  return text + modifiers(name, facts, gate);
}

function presence({ required, omitEmpty, omitZero }: FieldFacts): string {
  const zero = omitZero ? '.omitZero()' : '';
  if (required) return `.required()${omitEmpty ? '.omitEmpty()' : ''}${zero}`;
  return `${omitEmpty || omitZero ? '' : '.always()'}${zero}`;
}

function modifiers(name: string, facts: FieldFacts, gate: string | undefined): string {
  const shows = overrideOf(SHOWS_USE_OF, name);
  const isList = facts.type.startsWith('[]');
  const isMap = facts.type.startsWith('map[');
  const quoted = (values: readonly string[]) => values.map((each) => quote(each)).join(', ');
  const lists: Readonly<Record<string, string>> = {
    atomic: '.atomic()',
    set: '.set()',
    map: `.keyed(${quoted(facts.keys ?? [])})`,
  };
  return [
    isPublishedZero(facts) ? '' : `.default(${literal(facts.default)})`,
    facts.enum === undefined ? '' : `.oneOf(${quoted(facts.enum)})`,
    facts.named ? '.named()' : '',
    facts.listType === undefined ? '' : (lists[facts.listType] ?? ''),
    facts.itemsEnum === undefined
      ? ''
      : `.${isMap && !isList ? 'valuesOneOf' : 'itemsOneOf'}(${quoted(facts.itemsEnum)})`,
    facts.mapType === undefined ? '' : `.${facts.mapType}()`,
    patchText(facts),
    gate === undefined ? '' : `.behind(${quote(gate)})`,
    shows === undefined ? '' : `.showsUseOf(${quote(shows)})`,
    facts.discriminator ? '.discriminator()' : '',
    facts.bare ? '.bare()' : '',
  ].join('');
}

function patchText({ patchMergeKey: key, patchStrategy: strategy }: FieldFacts): string {
  if (key !== undefined) return `.mergedBy(${quote(key)}${strategy === 'merge' ? '' : `, ${quote(strategy ?? '')}`})`;
  return strategy === undefined ? '' : `.patchStrategy(${quote(strategy)})`;
}

/** Zero values of fields that are always written are published without being declared. */
function isPublishedZero({ default: value, pointer, omitEmpty }: FieldFacts): boolean {
  if (value === undefined) return true;
  return !pointer && !omitEmpty && (value === '' || value === 0 || value === false);
}

/**
 * Facts after overrides, without what does not concern declarations; several spans where an override has bounds.
 * @internal
 */
export function correctedFacts(
  name: string,
  { gate: _gate, rules: _rules, ...facts }: Span<FieldFacts>,
): Span<FieldFacts>[] {
  const { since = 0, until = Number.POSITIVE_INFINITY, ...override } = overrideOf(FIELDS, name) ?? {};
  return splitAt(splitAt([facts], since), until + 1).map((span) => {
    const isWithin = (span.since ?? 0) >= since && (span.until ?? Number.POSITIVE_INFINITY) <= until;
    return isWithin ? ({ ...span, ...override } as Span<FieldFacts>) : span;
  });
}

/** The rules of the release served by default that validate more than the facts do. */
function keptRules(spans: readonly Span<FieldFacts>[]): string {
  const { rules = [] } = inRelease(spans, CURRENT_MINOR) ?? {};
  const kept = rules.filter((rule) => /^(?:minimum=|item\(.*zeroOrOneOfMember$)/.test(rule));
  return kept.length === 0 ? '' : `.declarative(${kept.map(quote).join(', ')})`;
}

/** Adjacent spans that no longer differ become one. */
function merged(spans: readonly Span<FieldFacts>[]): Span<FieldFacts>[] {
  const out: Span<FieldFacts>[] = [];
  for (const span of spans) {
    const before = out.at(-1);
    const isNext = before?.until !== undefined && before.until + 1 === span.since;
    if (before !== undefined && isNext && bareText(before) === bareText(span)) {
      const { until: _until, ...rest } = before;
      out[out.length - 1] = { ...rest, ...(span.until !== undefined && { until: span.until }) };
    } else if (before !== undefined && !isNext)
      throw new Error(`a field that comes and goes: ${JSON.stringify(spans)}`);
    else out.push(span);
  }
  return out;
}

/** Spans of which none goes on beyond a minor release and begins before it. */
function splitAt(spans: readonly Span<FieldFacts>[], minor: number): Span<FieldFacts>[] {
  return spans.flatMap((span) => {
    const { since = 0, until = Number.POSITIVE_INFINITY } = span;
    return since >= minor || until < minor || !Number.isFinite(minor)
      ? [span]
      : [
          { ...span, until: minor - 1 },
          { ...span, since: minor },
        ];
  });
}

/** Whether a list differs from what it is later only in not being called atomic. */
function isUntyped(before: Span<FieldFacts>, now: Span<FieldFacts>): boolean {
  return (
    before.listType === undefined &&
    now.listType === 'atomic' &&
    bareText({ ...before, listType: 'atomic' }) === bareText(now)
  );
}

function bareText({ since: _since, until: _until, ...facts }: Span<FieldFacts>): string {
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return JSON.stringify(known.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function nearest(spans: readonly Span<FieldFacts>[]): Span<FieldFacts> {
  const past = spans.findLast(({ until }) => until !== undefined && until < CURRENT_MINOR);
  return (past ?? spans.at(-1)) as Span<FieldFacts>;
}

/** The gate of a field: that of the release served by default, or of the first later one that names one. */
function gateOf(name: string, spans: readonly Span<FieldFacts>[]) {
  const own = overrideOf(GATES, name);
  if (own !== undefined) return own ?? undefined;
  const now = inRelease(spans, CURRENT_MINOR);
  const named = now ?? spans.find(({ gate, since = 0 }) => gate !== undefined && since > CURRENT_MINOR);
  return named?.gate?.split(' ')[0];
}

/** The bounds of a type or field. */
export function spanFacts(spans: readonly Span<object>[]): string {
  const since = spans[0]?.since;
  const until = spans.at(-1)?.until;
  return [
    ...(since === undefined ? [] : [`since: ${since}`]),
    ...(until === undefined ? [] : [`until: ${until}`]),
  ].join(', ');
}

/** A union as OpenAPI publishes it. */
export function unionText({ discriminator, members }: Union): string {
  const sorted = Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1));
  const fields = sorted.map(([json, name]) => `${json}: ${quote(name)}`).join(', ');
  const by = discriminator === undefined ? '' : `discriminator: ${quote(discriminator)}, `;
  return `[{ ${by}'fields-to-discriminateBy': { ${fields} } }]`;
}

function argument(type: string, scope: Scope): string {
  if (SCALARS.test(type)) return quote(type);
  if (type.startsWith('[]')) return `${scope.build('listOf')}(${argument(type.slice(2), scope)})`;
  if (type.startsWith('map[string]')) {
    return `${scope.build('mapOf')}(${argument(type.slice('map[string]'.length), scope)})`;
  }
  return scope.type(type);
}

/** A string literal. */
export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key}: ${literal(each)}`)
    .join(', ')} }`;
}
