// Editor support for a kind: completion of fields and values, their documentation, and validation while typing.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { findings } from './checks.ts';
import type { KindSchema, Schema } from './schema.ts';
import { documentsOf, parseYaml, placeAt, rangeOf, type YamlPart } from './yaml-text.ts';

/** The type of a document; undefined if unknown. */
export type SchemaOf = (document: string) => Promise<KindSchema | undefined>;

/**
 * Returns completion, documentation and checks based on the types of the documents.
 * @param isPartial whether documents are parts of objects, so that missing fields are not reported
 */
export function languageSupport(schemaOf: SchemaOf, { isPartial = false } = {}): Extension[] {
  return [
    autocompletion({ override: [(context) => complete(context, schemaOf)], icons: false }),
    lintGutter(),
    linter(
      async ({ state }) => {
        const parts = documentsOf(state.doc.toString()).map(async ({ from, text }) =>
          diagnostics(text, await schemaOf(text), isPartial).map((one) => ({
            ...one,
            ...{ from: from + one.from, to: from + one.to },
          })),
        );
        return (await Promise.all(parts)).flat();
      },
      { delay: 300 },
    ),
    hoverTooltip(async (view, position) => {
      const part = documentAt(view.state.doc.toString(), position);
      const kind = await schemaOf(part.text);
      const line = view.state.doc.lineAt(position);
      const member = /^(\s*(?:- )?)([\w.\-/]+):/.exec(line.text);
      if (kind === undefined || member === null) return null;
      const from = line.from + member[1]!.length;
      const to = from + member[2]!.length;
      if (position < from || position > to) return null;
      const { path } = placeAt(parseYaml(part.text), to + 1 - part.from);
      const known = kind.at(path);
      if (known === undefined) return null;
      return { pos: from, end: to, create: () => ({ dom: documentation(known, String(path.at(-1) ?? '')) }) };
    }),
  ];
}

function documentAt(text: string, position: number): YamlPart {
  return documentsOf(text).findLast(({ from }) => from <= position)!;
}

function diagnostics(text: string, schema: KindSchema | undefined, isPartial: boolean): Diagnostic[] {
  const parsed = parseYaml(text);
  if (parsed.faults.length > 0) return parsed.faults.map((fault) => ({ ...fault, severity: 'error' }));
  if (schema === undefined) return [];
  return findings(schema, parsed.value, isPartial).map(({ path, message }) => ({
    ...rangeOf(parsed, path),
    ...{ severity: 'warning', message },
  }));
}

async function complete(context: CompletionContext, schemaOf: SchemaOf): Promise<CompletionResult | null> {
  const part = documentAt(context.state.doc.toString(), context.pos);
  const schema = await schemaOf(part.text);
  if (schema === undefined) return null;
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const value = /^\s*(?:- )?([\w.\-/]+):\s+(\S*)$/.exec(before);
  const member = /^(\s*(?:- )?)([\w.\-/]*)$/.exec(before);
  if (value === null && member === null) return null;
  if (!context.explicit && (value?.[2] ?? member?.[2] ?? '') === '') return null;
  const word = value === null ? member![2]! : value[2]!;
  const from = context.pos - word.length;
  // A half-typed word would be a syntax error, so the position is resolved without it.
  const [start, end] = [from - part.from, context.pos - part.from];
  const whole = value === null ? `${part.text.slice(0, start)}x: y${part.text.slice(end)}` : part.text;
  const { path, present } = placeAt(parseYaml(whole), value === null ? start + 1 : start);
  if (value !== null) return valuesOf(schema.at([...parentOf(path, value[1]!), value[1]!]), from);
  const parent = schema.at(path.at(-1) === 'x' ? path.slice(0, -1) : path);
  return parent === undefined ? null : { from, options: membersOf(schema, parent, present), validFor: /^[\w.\-/]*$/ };
}

function parentOf(path: readonly (string | number)[], member: string): readonly (string | number)[] {
  return path.at(-1) === member ? path.slice(0, -1) : path;
}

function membersOf(kinds: KindSchema, parent: Schema, present: readonly string[]): Completion[] {
  return Object.entries(parent.properties ?? {})
    .filter(([name]) => !present.includes(name))
    .map(([name, declared]) => {
      const schema = kinds.resolve(declared);
      const opens = schema.type === 'object' || schema.properties !== undefined || schema.type === 'array';
      const isRequired = parent.required?.includes(name) === true;
      return {
        label: name,
        detail: `${typeText(schema)}${isRequired ? ', required' : ''}`,
        apply: opens ? `${name}:` : `${name}: `,
        boost: isRequired ? 1 : 0,
        info: () => documentation(schema, name),
      };
    });
}

function valuesOf(schema: Schema | undefined, from: number): CompletionResult | null {
  const values = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : []);
  if (values.length === 0) return null;
  return { from, options: values.map((value) => ({ label: String(value) })) };
}

function typeText(schema: Schema): string {
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return 'integer or string';
  return schema.type ?? 'object';
}

/** Text only: descriptions come from the cluster. */
function documentation(schema: Schema, name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'documentation';
  const title = document.createElement('strong');
  title.textContent = `${name}: ${typeText(schema)}`;
  const text = document.createElement('p');
  text.textContent = schema.description ?? 'Not described.';
  element.append(title, text);
  return element;
}
