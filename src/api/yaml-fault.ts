// The message for a YAML text of the operator's that cannot be read: one wording for all files, whichever parser found
// the fault, as tools that keep comments need another parser than a server.

import { readYaml, YamlError } from './yaml-reader.ts';

/** What another parser says. */
interface OtherFault {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

/**
 * `yaml: line 2: mapping values are not allowed in this context`: what this reader says about a document, or the other
 * parser, if this reader can read it.
 * @param from the offset of the document in its text, whose lines the message counts
 */
export function yamlFault(text: string, from: number, { line, what }: OtherFault): string {
  try {
    const { duplicates } = readYaml(documentAt(text, from));
    if (duplicates[0] !== undefined) return `yaml: ${duplicates[0]}`;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return error.message;
  }
  return `yaml: line ${line}: ${what}`;
}

/** A document alone, on the lines that it has in its text. */
export function documentAt(text: string, from: number, to = text.length): string {
  const lines = text.slice(0, from).split('\n').length - 1;
  return '\n'.repeat(lines) + text.slice(from, to);
}
