// Migration of a text: every manifest in it, in YAML or JSON, also in lists, is migrated to API versions that a release
// serves. Others are kept byte for byte.

import { type Document, isMap, isScalar, isSeq, parseAllDocuments, parseDocument, visit, type YAMLMap } from 'yaml';
import { yamlFault } from '../api/yaml-fault.ts';
import { introducedMinor, isRemoved } from '../lifecycle/api-lifecycles.ts';
import { Manifest } from './manifest.ts';
import { findRule, goneKind, mayNeedMigration } from './rules.ts';

export interface MigratedManifest {
  /** Its first line, from 1. */
  readonly line: number;
  readonly kind: string;
  readonly name: string;
  readonly from: string;
  /** Undefined if there is no version to migrate to; `notes` says why. */
  readonly to: string | undefined;
  readonly notes: readonly string[];
}

interface MigratedText {
  readonly text: string;
  readonly manifests: readonly MigratedManifest[];
}

/** A text that is not a manifest file; the message says why, and where. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

/**
 * Migrates all manifests in a text.
 *
 * @param text YAML with any number of documents, or JSON
 * @param minor the minor version of Kubernetes 1 whose APIs to use
 * @throws MigrationError for invalid text, and for templates
 */
export function migrateText(text: string, minor: number): MigratedText {
  if (CONTROL.test(text) && !isJson(text)) throw new MigrationError('yaml: control characters are not allowed');
  if (!mayNeedMigration(text)) {
    assertReadable(text);
    return { text, manifests: [] };
  }
  return isJson(text) ? migrateJson(text, minor) : migrateYaml(text, minor);
}

/** Characters that YAML does not have outside of escapes: of a binary file, which the parser would take for a text. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Unchanged text must be valid too: a broken file in a folder prevents changing any. */
function assertReadable(text: string): void {
  if (isJson(text)) return;
  for (const document of parseAllDocuments(text, { keepSourceTokens: false, uniqueKeys: false })) {
    const fault = faultOf(document as Document, text);
    if (fault !== undefined) throw new MigrationError(fault);
  }
}

/** Why a document cannot be migrated; undefined if it can. Templates are not YAML, or only by accident. */
function faultOf(document: Document, text: string): string | undefined {
  const [error] = document.errors;
  const action = text.indexOf('{{');
  if (action >= 0 && (error !== undefined || hasMapAsKey(document))) {
    const line = text.slice(0, action).split('\n').length;
    return `line ${line}: this is a Helm template: render it first, as with 'helm template'`;
  }
  if (error === undefined) return undefined;
  const { linePos, message } = error;
  const what = message.split(/\n| at line /, 1)[0]!;
  return yamlFault(text, document.range?.[0] ?? 0, { line: linePos?.[0].line ?? 1, what });
}

/** `{{ x }}` parses as a map whose only key is a map. */
function hasMapAsKey(document: Document): boolean {
  let found = false;
  visit(document, {
    Pair: (_key, { key }) => {
      found ||= isMap(key);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

/** Whether it is JSON, rather than YAML or a template that begins like JSON. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function migrateJson(text: string, minor: number): MigratedText {
  // JSON is YAML: the same edits apply, and members keep their order.
  const document = parseDocument(text, { keepSourceTokens: false });
  const manifests = migrateDocument(document, text, minor);
  if (manifests.every(({ isReshaped }) => !isReshaped))
    return { text: spliced(text, versionEdits(manifests)), manifests };
  const indent = /\n([ \t]+)\S/.exec(text)?.[1];
  const end = text.endsWith('\n') ? '\n' : '';
  return { text: JSON.stringify(document.toJS(), undefined, indent) + end, manifests };
}

function migrateYaml(text: string, minor: number): MigratedText {
  const documents = parseAllDocuments(text, { keepSourceTokens: false, uniqueKeys: true, prettyErrors: true });
  if (!Array.isArray(documents)) return { text, manifests: [] };
  const manifests: MigratedManifest[] = [];
  const edits: Edit[] = [];
  for (const document of documents) {
    const fault = faultOf(document, text);
    if (fault !== undefined) throw new MigrationError(fault);
    const migrated = migrateDocument(document, text, minor);
    manifests.push(...migrated);
    if (!migrated.some(({ to }) => to !== undefined) || !isMap(document.contents)) continue;
    edits.push(...editsOf(document, migrated, text));
  }
  return { text: spliced(text, edits), manifests };
}

/** The text with sorted edits applied. */
function spliced(text: string, edits: readonly Edit[]): string {
  let [out, written] = ['', 0];
  for (const { start, end, text: replacement } of edits) {
    out += text.slice(written, start) + replacement;
    written = end;
  }
  return out + text.slice(written);
}

function versionEdits(migrated: readonly Migrated[]): Edit[] {
  return migrated.flatMap(({ to, versionAt: [start, end] }) => (to === undefined ? [] : [{ start, end, text: to }]));
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** If only API versions changed, nothing else is touched; otherwise the document is written again. */
function editsOf(document: Document, migrated: readonly Migrated[], text: string): Edit[] {
  if (migrated.every(({ isReshaped }) => !isReshaped)) return versionEdits(migrated);
  const [start, , end] = (document.contents as YAMLMap).range ?? [0, 0, 0];
  return [{ start, end, text: rendered(document, text.slice(start, end), text) }];
}

/** A changed document in the style of its source, without the surrounding comments, which are kept. */
function rendered(document: Document, source: string, text: string): string {
  const indent = /\n( +)[^\s#-]/.exec(source)?.[1]?.length ?? 2;
  const indentSeq = indentsLists(document, text);
  const padding = /[{[] +\S/.test(source);
  const { contents } = document;
  document.commentBefore = null;
  document.comment = null;
  if (isMap(contents)) {
    contents.commentBefore = null;
    const key = contents.items[0]?.key;
    if (isScalar(key)) key.commentBefore = null;
  }
  const written = document.toString({
    lineWidth: 0,
    indent,
    indentSeq,
    directives: false,
    flowCollectionPadding: padding,
  });
  return written.endsWith('\n') && !source.endsWith('\n') ? written.slice(0, -1) : written;
}

/** Whether list items are indented below their key; the first list decides. */
function indentsLists(document: Document, text: string): boolean {
  const columnOf = (offset: number) => offset - text.lastIndexOf('\n', offset - 1);
  let indents = true;
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (!isScalar(key) || !isSeq(value) || value.flow === true) return undefined;
      const [from, to] = [key.range?.[0], value.range?.[0]];
      if (from === undefined || to === undefined) return undefined;
      indents = columnOf(to) > columnOf(from);
      return visit.BREAK;
    },
  });
  return indents;
}

/** A migrated manifest, and what is needed to write it. */
interface Migrated extends MigratedManifest {
  /** Whether more than its API version changed. */
  readonly isReshaped: boolean;
  /** The position of its API version in the text, without quotes. */
  readonly versionAt: readonly [start: number, end: number];
}

function migrateDocument(document: Document, text: string, minor: number): Migrated[] {
  return rootsOf(document.contents).flatMap((root) => {
    const manifest = new Manifest(document, root);
    const migrated = migrateManifest(manifest, text, minor);
    return migrated === undefined ? [] : [migrated];
  });
}

/** The manifests of a document: itself, or the items of a list. */
function rootsOf(contents: unknown): YAMLMap[] {
  if (!isMap(contents)) return [];
  const items = contents.get('items');
  if (!String(contents.get('kind') ?? '').endsWith('List') || !isSeq(items)) return [contents];
  return [contents, ...items.items.flatMap(rootsOf)];
}

function migrateManifest(manifest: Manifest, text: string, minor: number): Migrated | undefined {
  const { apiVersion: from, kind, name } = manifest;
  const item = kind.endsWith('List') ? kind.slice(0, -'List'.length) : kind;
  const release = `1.${minor}`;
  const versionAt = manifest.versionAt(text);
  const about = { line: manifest.lineIn(text), kind, name, from, versionAt, isReshaped: false };
  const gone = goneKind(from, item);
  if (gone !== undefined) return { ...about, to: undefined, notes: [gone] };
  const rule = findRule(from, item);
  if (rule === undefined) return undefined;
  const isGone = rule.removed === undefined ? isRemoved(from, item, release) : rule.removed <= minor;
  if (!isGone) return undefined;
  const to = rule.to.find(([apiVersion, since]) => since <= minor && introducedMinor(apiVersion, item) <= minor)?.[0];
  if (to === undefined || to === from)
    return { ...about, to: undefined, notes: [`Kubernetes ${release} serves no other version of it`] };
  const before = JSON.stringify(manifest.root);
  if (kind === item) rule.migrate?.(manifest);
  const isReshaped = JSON.stringify(manifest.root) !== before;
  manifest.apiVersion = to;
  return { ...about, to, isReshaped, notes: manifest.notes };
}
