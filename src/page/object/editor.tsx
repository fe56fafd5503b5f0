// The text editor of the page: YAML with folding, search and whatever a view adds, in the colours of the page.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  codeFolding,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';

const colours = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--bg)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--bg)', color: 'var(--text-weak)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--bg-selected) !important',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-hover)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--bg-hover)',
    border: '1px solid var(--line)',
    color: 'var(--text-weak)',
  },
  '.cm-panels, .cm-tooltip': { backgroundColor: 'var(--bg-raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-tooltip': { border: '1px solid var(--line)', borderRadius: 'var(--radius)', boxShadow: 'var(--shadow)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--bg-selected)', color: 'var(--text)' },
  '.cm-collapsedLines': { background: 'var(--bg-hover)', color: 'var(--text-weak)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-completionInfo': { maxWidth: '420px', whiteSpace: 'pre-line' },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)' },
  { tag: [tags.string, tags.content], color: 'var(--code-text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword], color: 'var(--code-atom)' },
  { tag: tags.comment, color: 'var(--text-weak)', fontStyle: 'italic' },
  { tag: [tags.meta, tags.punctuation, tags.separator], color: 'var(--text-weak)' },
]);

/**
 * What every editor of the page has.
 * @param changes whether its text may be changed
 * @param language YAML unless told otherwise
 */
export function editorBasics(changes: boolean, language: Extension = yaml()): Extension[] {
  return [
    EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''),
    ...[lineNumbers(), foldGutter(), codeFolding(), history(), drawSelection(), indentOnInput(), bracketMatching()],
    ...[highlightSelectionMatches(), search({ top: true }), language, indentUnit.of('  ')],
    ...[colours, syntaxHighlighting(highlighting)],
    keymap.of([
      ...defaultKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...searchKeymap,
      ...(changes ? [indentWithTab] : []),
    ]),
    ...(changes ? [] : [EditorState.readOnly.of(true)]),
  ];
}

interface EditorProps {
  readonly label: string;
  /** The text to begin with; a new one replaces what is shown. */
  readonly text: string;
  readonly onChange?: (text: string) => void;
  /** YAML unless told otherwise. */
  readonly language?: Extension;
  /** Read once, when the editor is made. */
  readonly extensions?: readonly Extension[];
}

export function Editor({ label, text, onChange, language, extensions = [] }: EditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  /** What was typed and may still come back as the text to show: it must not overtake what was typed since. */
  const typed = useRef(new Set<string>());
  useEffect(() => {
    view.current = new EditorView({
      parent: element.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          ...editorBasics(onChange !== undefined, language),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            const now = update.state.doc.toString();
            typed.current.add(now);
            changed.current?.(now);
          }),
          ...extensions,
        ],
      }),
    });
    return () => view.current?.destroy();
  }, []);
  useEffect(() => {
    const shown = view.current;
    const isShown = shown === null || shown.state.doc.toString() === text;
    if (isShown) typed.current.clear();
    if (isShown || typed.current.has(text)) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } });
  }, [text]);
  return <div class="editor" ref={element} />;
}
