// A playground for expressions: what one is worth for an object of the cluster, of which type it is, what it may cost and
// what it did, while it is typed. Everything is computed in the page.

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { Json } from '../../api/object.ts';
import { type Examination, examineExpression } from '../../expressions/examination.ts';
import { apiVersionOf, type Resource, resources } from '../cluster/discovery.ts';
import { Editor } from '../object/editor.tsx';
import { parseYaml, toYaml } from '../object/yaml-text.ts';
import { place, setQuery } from '../shell/router.ts';
import { celLanguage } from './cel-language.ts';
import { ExpressionResult } from './expression-result.tsx';
import { type ExpressionSchema, placesOfRules, rulesAt, schemaAt, stepsOf, valueAt } from './expression-schema.ts';
import { type Offered, readNames, readObject, readSchema } from './expression-subject.ts';

const FIRST = 'self.metadata.name.size() < 63 && has(self.metadata.labels)';
const SAMPLE = 'metadata:\n  name: web\n  labels:\n    app: web\n';
const PLACES_OFFERED = 50;

export function ExpressionsView() {
  const { query } = place.value;
  const [kind, object, at] = ['kind', 'object', 'at'].map((name) => query.get(name) ?? '') as [string, string, string];
  const resource = resourceNamed(kind);
  const schema = useSignal<ExpressionSchema | undefined>(undefined);
  const offered = useSignal<Offered>({ names: [], hasMore: false });
  const texts = { self: useSignal(SAMPLE), oldSelf: useSignal('') };
  // What editors are given; what is typed does not come back to them, or it would overtake the typing.
  const given = { self: useSignal(SAMPLE), oldSelf: useSignal('') };
  const shown = useSignal<'self' | 'oldSelf'>('self');
  const fault = useSignal('');
  const tell = (error: unknown): void => {
    fault.value = (error as Error).message;
  };
  useEffect(() => {
    schema.value = undefined;
    fault.value = '';
    if (resource === undefined) return undefined;
    let isLate = false;
    void readSchema(resource).then((found) => !isLate && (schema.value = found), tell);
    void readNames(resource).then((found) => !isLate && (offered.value = found), tell);
    return () => {
      isLate = true;
    };
  }, [resource]);
  useEffect(() => {
    if (resource === undefined || object === '') return;
    void readObject(resource, object).then((found) => {
      for (const name of ['self', 'oldSelf'] as const) {
        texts[name].value = toYaml(found);
        given[name].value = texts[name].value;
      }
    }, tell);
  }, [resource, object]);
  return (
    <>
      <div class="bar">
        <h1>Expressions</h1>
        <span class="weak">As rules of x-kubernetes-validations are checked and evaluated, here in the page.</span>
      </div>
      <Subject {...{ kind, object, at }} offered={offered.value} schema={schema.value} />
      {fault.value !== '' && (
        <p class="notice bad" role="alert" style={{ margin: '0 22px 10px' }}>
          {fault.value}
        </p>
      )}
      <div class="playground">
        <Playground key={kind} at={at} schema={schema.value} self={texts.self.value} oldSelf={texts.oldSelf.value} />
        <section class="inputs" aria-label="Values">
          <div class="tabs" role="tablist" aria-label="Values">
            {(['self', 'oldSelf'] as const).map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                aria-selected={shown.value === name}
                onClick={() => {
                  given[shown.value].value = texts[shown.value].value;
                  shown.value = name;
                }}
              >
                {name}
              </button>
            ))}
            <span class="weak">{object === '' ? 'nothing chosen' : 'a copy, to be changed at will'}</span>
          </div>
          <Editor
            key={shown.value}
            label={`The value of ${shown.value}`}
            text={given[shown.value].value}
            onChange={(text) => {
              texts[shown.value].value = text;
            }}
          />
        </section>
      </div>
    </>
  );
}

interface SubjectProps {
  readonly kind: string;
  readonly object: string;
  readonly at: string;
  readonly offered: Offered;
  readonly schema: ExpressionSchema | undefined;
}

/** What the expression is about, kept in the address. */
function Subject({ kind, object, at, offered, schema }: SubjectProps) {
  const places = useMemo(() => (schema === undefined ? [] : placesOfRules(schema.schema, PLACES_OFFERED)), [schema]);
  return (
    <form class="question padded" onSubmit={(event) => event.preventDefault()}>
      <label>
        Kind
        <select
          value={kind}
          onChange={({ currentTarget }) => setQuery({ kind: currentTarget.value, object: '', at: '' })}
        >
          <option value="">none: self can be anything</option>
          {resources.value.map((resource) => (
            <option key={keyOf(resource)} value={keyOf(resource)}>
              {resource.kind} ({apiVersionOf(resource)})
            </option>
          ))}
        </select>
      </label>
      <label>
        Object
        <select
          value={object}
          disabled={kind === ''}
          onChange={({ currentTarget }) => setQuery({ object: currentTarget.value })}
        >
          <option value="">none</option>
          {[...new Set(object === '' ? offered.names : [object, ...offered.names])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {offered.hasMore && <option disabled>and more, which are not shown</option>}
        </select>
      </label>
      <label>
        Place of the rule
        <input
          list="places"
          placeholder="the whole object"
          value={at}
          onChange={({ currentTarget }) => setQuery({ at: currentTarget.value.trim() })}
        />
        <datalist id="places">
          {places.map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
      </label>
      {schema?.isCut === true && <p class="weak">Parts of the kind that refer to themselves are left out.</p>}
    </form>
  );
}

interface PlaygroundProps {
  readonly at: string;
  readonly schema: ExpressionSchema | undefined;
  /** YAML of the whole objects. */
  readonly self: string;
  readonly oldSelf: string;
}

function Playground({ at, schema, self, oldSelf }: PlaygroundProps) {
  const text = useSignal(place.value.query.get('e') ?? FIRST);
  const given = useSignal(text.value);
  const isStored = useSignal(false);
  const subject = useMemo(() => subjectOf({ at, schema, self, oldSelf }), [at, schema, self, oldSelf]);
  const current = useSignal(subject);
  current.value = subject;
  const examine = (expression: string): Examination =>
    examined({ expression, subject: current.value, stored: isStored.value });
  const found = useComputed(() => (text.value.trim() === '' ? {} : examine(text.value)));
  const take = (expression: string): void => {
    text.value = expression;
    setQuery({ e: expression });
  };
  const rules = rulesAt(subject.schema);
  return (
    <section class="expression" aria-label="Expression">
      <Editor
        label="Expression"
        text={given.value}
        onChange={take}
        language={useMemo(() => celLanguage(examine), [])}
      />
      <div class="scroll">
        {subject.fault !== '' && <p class="notice warn">{subject.fault}</p>}
        <ExpressionResult text={text.value} found={found.value} hasObject={subject.object !== undefined} />
        <label class="check">
          <input
            type="checkbox"
            checked={isStored.value}
            onChange={({ currentTarget }) => {
              isStored.value = currentTarget.checked;
            }}
          />
          Allow what only stored expressions may use
        </label>
        {rules.length > 0 && (
          <>
            <h2>Rules that stand here</h2>
            <ul class="rules">
              {rules.map((rule) => (
                <li key={rule}>
                  <button
                    type="button"
                    class="plain mono"
                    onClick={() => {
                      given.value = rule;
                    }}
                  >
                    {rule}
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

interface Subjects {
  readonly schema?: ReturnType<typeof schemaAt>;
  readonly object?: Json | undefined;
  readonly oldObject?: Json | undefined;
  /** What is wrong with the place or the values; '' for nothing. */
  readonly fault: string;
}

function subjectOf({ at, schema, self, oldSelf }: PlaygroundProps): Subjects {
  try {
    const steps = stepsOf(at);
    const [object, oldObject] = [self, oldSelf].map((text) => valueAt(valueIn(text), steps));
    const own = schema === undefined ? undefined : schemaAt(schema.schema, steps);
    const isLost = schema !== undefined && own === undefined;
    return { schema: own, object, oldObject, fault: isLost ? `The kind says nothing of ${at}.` : '' };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function valueIn(text: string): Json {
  const { value, faults } = parseYaml(text);
  if (faults.length > 0) throw new TypeError(`The value is not YAML: ${faults[0]!.message}`);
  return value as Json;
}

interface Examined {
  readonly expression: string;
  readonly subject: Subjects;
  readonly stored: boolean;
}

function examined({ expression, subject: { schema, object, oldObject }, stored }: Examined): Examination {
  try {
    return examineExpression({ expression, schema, object, oldObject, stored });
  } catch (error) {
    // Expressions cannot be compiled for this schema: all that can be shown is why.
    return { fault: (error as Error).message };
  }
}

function keyOf(resource: Resource): string {
  return `${apiVersionOf(resource)}/${resource.name}`;
}

function resourceNamed(key: string): Resource | undefined {
  return resources.value.find((resource) => keyOf(resource) === key);
}
