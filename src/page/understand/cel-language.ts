// CEL in the editor: syntax highlighting and error markers.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Examination } from '../../expressions/examination.ts';
import { diagnosticsOf } from './expression-faults.ts';

const ATOMS = /^(?:true|false|null|in)$/;
const MACROS = /^(?:has|all|exists|exists_one|map|filter|transformList|transformMap|sortBy|optMap|optFlatMap|bind)$/;

const syntax = StreamLanguage.define<null>({
  name: 'cel',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return 'comment';
    if (stream.match(/^[rRbB]{0,2}(?:""".*?"""|'''.*?'''|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return 'string';
    if (stream.match(/^(?:0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)u?/i)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word !== null) return ATOMS.test(word[0]) ? 'atom' : MACROS.test(word[0]) ? 'keyword' : 'variableName';
    stream.next();
    return 'operator';
  },
  languageData: { closeBrackets: { brackets: ['(', '[', '{', "'", '"'] }, commentTokens: { line: '//' } },
});

const colours = HighlightStyle.define([
  { tag: tags.variableName, color: 'var(--code-key)' },
  { tag: tags.keyword, color: 'var(--code-atom)', fontWeight: '600' },
  { tag: tags.operator, color: 'var(--text-weak)' },
]);

/** Returns the editor's language support for expressions. @param examine returns the findings for a text */
export function celLanguage(examine: (text: string) => Examination): Extension {
  const faults = linter(
    ({ state }): Diagnostic[] => {
      const text = state.doc.toString();
      return text.trim() === '' ? [] : diagnosticsOf(text, examine(text));
    },
    { delay: 200 },
  );
  return [syntax, syntaxHighlighting(colours), faults, lintGutter(), EditorView.lineWrapping];
}
