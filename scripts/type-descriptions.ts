// Descriptions of Kubernetes' types, out of the declarations of the official JavaScript client of v1.34: its generator
// writes them as comments. Part of the build; nothing of them is committed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescriptionsFile } from '../src/server/type-descriptions-file.ts';

const PACKAGE = 'node_modules/kubernetes-client-1.34';

/** The file of descriptions, made of the client that `root` has installed. */
export function typeDescriptions(root: string): DescriptionsFile {
  const folder = join(root, PACKAGE, 'dist/gen/models');
  const { version } = JSON.parse(readFileSync(join(root, PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const types: Record<string, DescriptionsFile['types'][string]> = {};
  for (const file of readdirSync(folder).sort()) {
    const suffix = '.d.ts';
    if (!file.endsWith(suffix)) continue;
    const type = describedType(readFileSync(join(folder, file), 'utf8'));
    if (type !== undefined) types[file.slice(0, -suffix.length)] = type;
  }
  return { version: `@kubernetes/client-node ${version}`, types };
}

const CLASS = /\/\*\*\n\* (.*)\n\*\/\nexport declare class /;
const MEMBER = /^ {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n {4}'([^']+)'\??:/gm;

/** What a declaration says of a class and its members; undefined for one that says nothing. */
export function describedType(declaration: string): DescriptionsFile['types'][string] | undefined {
  const members: Record<string, string> = {};
  for (const [, text = '', name = ''] of declaration.matchAll(MEMBER)) members[memberName(name)] = plainText(text);
  const text = plainText(CLASS.exec(declaration)?.[1] ?? '');
  return text === '' && Object.keys(members).length === 0 ? undefined : { text, members };
}

/** The name in JSON: the client changes those that JavaScript can't have for variables. */
function memberName(name: string): string {
  return name.startsWith('x_kubernetes_') ? name.replaceAll('_', '-') : name.replace(/^_/, '');
}

/**
 * The words as Kubernetes wrote them: the generator escapes quotes and backslashes, breaks up what would end the comment,
 * and leaves two blanks where a paragraph ends.
 */
function plainText(text: string): string {
  return text
    .replaceAll(/\\(["'\\])/g, '$1')
    .replaceAll('\\\\', '\\')
    .replaceAll('*_/', '*/')
    .trim()
    .replaceAll(/ {2,}/g, '\n\n');
}
