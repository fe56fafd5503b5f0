// The highlighting of code on the website, done when the site is built, so that its pages need no script for it.

import { createRequire } from 'node:module';

/** What is used of highlight.js. Its own types bring those of browsers into every file that is compiled with them. */
interface Highlighter {
  newInstance(): Highlighter;
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string }): { readonly value: string };
  highlightAuto(code: string, languages: readonly string[]): { readonly value: string; readonly relevance: number };
}

const require = createRequire(import.meta.url);

/** highlight.js's languages by the names that fences give them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ sh: 'bash', go: 'go', java: 'java', js: 'javascript', json: 'json', python: 'python', rust: 'rust' },
  ...{ ts: 'typescript', yaml: 'yaml' },
};

/** What a block without a language may be: our pages indent commands, configuration and TypeScript. */
const UNNAMED = ['sh', 'ts', 'yaml'];

/** A block of which less is recognized stays plain: output of programs, above all. */
const LEAST_RELEVANCE = 2;

const highlighter = (require('highlight.js/lib/core') as Highlighter).newInstance();
for (const [name, language] of Object.entries(LANGUAGES)) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${language}`));
}

/**
 * Returns the HTML of a block of code, with its parts in elements of the classes that `CODE_STYLE` gives a colour.
 *
 * @param language as the fence names it; empty for an indented block, whose language is guessed
 * @returns the empty string for a language that is not known, which leaves the text as it is
 */
export function highlighted(code: string, language: string): string {
  if (Object.hasOwn(LANGUAGES, language)) return highlighter.highlight(code, { language }).value;
  if (language !== '') return '';
  const guess = highlighter.highlightAuto(code, UNNAMED);
  return guess.relevance < LEAST_RELEVANCE ? '' : guess.value;
}

/** Colours with a contrast of at least 4.5 to 1 on the background of code, in either theme. */
export const CODE_STYLE = `.hljs-comment { color: light-dark(#5c6370, #9aa0ab); font-style: italic; }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-type { color: light-dark(#8a1f7a, #e0a3d6); }
.hljs-string, .hljs-regexp { color: light-dark(#1a6b35, #8fd19e); }
.hljs-number, .hljs-attr, .hljs-variable, .hljs-property { color: light-dark(#8a4a00, #e8b878); }
.hljs-title, .hljs-meta, .hljs-symbol { color: light-dark(#1f4fa3, #9ebdf5); }
`;
