// Groups differences by their rule: the same verb and the same form of difference, whatever the kind and the values.

import type { RequestStep } from '../conformance/scenario.ts';
import type { Asked } from './session.ts';

/** Suffix of counts of steps without a reference response to compare with. */
export const unanswered = 'on which the reference panicked';

export interface Group {
  readonly rule: string;
  count: number;
  /** Resources in which it was seen. */
  readonly resources: Set<string>;
  /** The first conversation that shows it, reduced. */
  readonly steps: readonly RequestStep[];
  readonly expected: unknown;
  readonly actual: unknown;
  readonly lines: readonly string[];
}

const shownLines = 3;

/** Returns the rule for a step's differences. */
export function ruleOf({ step, lines, expected, actual }: Asked): string {
  const causes = lines.filter((line) => line.includes('.details.causes'));
  const isHead = (line: string) => line.startsWith('.status') || line.startsWith('.headers');
  const head = lines.filter((line) => isHead(line));
  const rest = causes.length > 0 ? causes : lines.filter((line) => !isHead(line));
  const statuses = expected['status'] === actual['status'] ? [] : [`${actual['status']} for ${expected['status']}`];
  const kind = String((step.body as { kind?: unknown } | undefined)?.kind);
  const shapes = [...new Set([...head, ...rest].map((line) => shapeOf(line.replaceAll(kind, '<Kind>'))))].slice(
    0,
    shownLines,
  );
  return [verbOf(step), ...statuses, ...shapes].join(' | ');
}

/** Method and form of a request: `PATCH merge`. */
export function verbOf({ method = 'GET', headers, query }: RequestStep): string {
  const type = String(headers?.['content-type'] ?? '');
  const form = /application\/([a-z]+)(?:-merge)?-patch/.exec(type)?.[1];
  return [method, form, query?.['watch'] !== undefined ? 'watch' : undefined].filter(Boolean).join(' ');
}

/** The resource in a path, with its subresource. */
export function resourceOf({ path }: RequestStep): string {
  const parts = path.split('?')[0]!.split('/').filter(Boolean);
  const at = parts[0] === 'api' ? 2 : 3;
  const rest = parts[at] === 'namespaces' && parts.length > at + 2 ? parts.slice(at + 2) : parts.slice(at);
  return [rest[0], rest[2]].filter(Boolean).join('/') || path;
}

/** A line without case-specific parts: indexes, quoted text, numbers. */
function shapeOf(line: string): string {
  return line
    .replace(/\[\d+\]/g, '[]')
    .replace(/\\"(?:[^"\\]|\\[^"])*\\"/g, "'…'")
    .replace(/\d+/g, 'N')
    .slice(0, 260);
}
