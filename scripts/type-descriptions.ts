// Descriptions of Kubernetes' types, extracted from two packages whose generators write them as comments: the official
// JavaScript client of v1.34, and kubernetes-models for the descriptions that the client omits, those of fields whose
// type is a struct. Part of the build; the output is not committed.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DescriptionsFile } from '../src/server/type-descriptions-file.ts';

const CLIENT = 'node_modules/kubernetes-client-1.34';
const MODELS = ['node_modules/kubernetes-models', 'node_modules/@kubernetes-models/apimachinery'];
const SUFFIX = '.d.ts';

type DescribedType = DescriptionsFile['types'][string];

/** Returns the file of descriptions, built from the packages installed under `root`. */
export function typeDescriptions(root: string): DescriptionsFile {
  const folder = join(root, CLIENT, 'dist/gen/models');
  const types: Record<string, DescribedType> = {};
  for (const file of declarationsIn(folder)) {
    const type = describedType(readFileSync(file, 'utf8'));
    if (type !== undefined) types[basename(file, SUFFIX)] = type;
  }
  const models = MODELS.flatMap((path) => declarationsIn(join(root, path)).flatMap(describedModels));
  dropTypeTexts(types, models);
  for (const model of models) complete(types, model);
  const versions = [CLIENT, ...MODELS].map((path) => versionOf(join(root, path)));
  return { version: versions.join(', '), types };
}

function versionOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  return `${name} ${version}`;
}

function declarationsIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .sort()
    .map((file) => join(folder, file));
}

/** Removes the text that the client's generator uses for fields without a description: that of their type. */
function dropTypeTexts(types: Record<string, DescribedType>, models: readonly DescribedType[]): void {
  const texts = new Set([...Object.values(types), ...models].map(({ text }) => text));
  for (const [name, { text, members }] of Object.entries(types)) {
    const own = Object.entries(members).filter(([, each]) => !texts.has(each));
    types[name] = { text, members: Object.fromEntries(own) };
  }
}

function describedModels(file: string): DescribedModel[] {
  const model = describedModel(readFileSync(file, 'utf8'));
  return model === undefined ? [] : [model];
}

/** Adds the models' descriptions that the client lacks, and their line breaks, which the client's generator loses. */
function complete(types: Record<string, DescribedType>, model: DescribedModel): void {
  const name = model.names.find((each) => Object.hasOwn(types, each)) ?? model.names[0]!;
  const { text, members } = types[name] ?? { text: '', members: {} };
  const names = Object.keys({ ...members, ...model.members });
  const better = names.map((member) => [member, betterText(members[member], model.members[member])]);
  types[name] = { text: betterText(text, model.text), members: Object.fromEntries(better) };
}

/** Texts that the client uses for all fields of these types, whatever their purpose. */
const OF_THE_TYPE =
  /^(?:IntOrString is a type that can hold|MicroTime is version of Time with|Time is a wrapper around)/;

/**
 * Uses the client's text, which is of the served release, with the line breaks of the models and the values that they
 * list.
 */
function betterText(client = '', model = ''): string {
  if (model === '') return client;
  const [one, other] = [client, model].map((text) => text.replaceAll(/\s+/g, ' '));
  const isPart = one === other || other!.startsWith(`${one} Possible enum values:`);
  return client === '' || isPart || OF_THE_TYPE.test(client) ? model : client;
}

interface DescribedModel extends DescribedType {
  /** Possible names of the type in the client: with its group before the version, and without. */
  readonly names: readonly string[];
}

const PACKAGES =
  /^IIoK8s(?:ApimachineryPkgApis|ApimachineryPkg|ApiextensionsApiserverPkgApis|KubeAggregatorPkgApis|Api)/;
const ALIAS = /^export type \{ \w+ as (IIoK8s\w+)/m;
const INTERFACE = /^\/\*\*\n((?: \*.*\n)+?) \*\/\nexport (?:interface|type) /m;
const MODEL_MEMBER = /^ {4}\/\*\*\n((?: {5}\*.*\n)+?) {5}\*\/\n {4}"([^"]+)"\??:/gm;

/**
 * Returns the descriptions in a declaration of the models for a type and its fields; undefined if it does not declare a
 * type.
 */
export function describedModel(declaration: string): DescribedModel | undefined {
  const alias = ALIAS.exec(declaration)?.[1]?.replace(PACKAGES, '');
  if (alias === undefined) return undefined;
  const members: Record<string, string> = {};
  for (const [, comment = '', name = ''] of declaration.matchAll(MODEL_MEMBER)) members[name] = uncommented(comment);
  const names = [alias, alias.replace(/^[A-Z][a-z0-9]*?(?=V\d)/, '')];
  return { names, text: uncommented(INTERFACE.exec(declaration)?.[1] ?? ''), members };
}

function uncommented(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^ *\* ?/, ''));
  return lines.join('\n').replaceAll('*\\/', '*/').trim();
}

const CLASS = /\/\*\*\n\* (.*)\n\*\/\nexport declare class /;
const MEMBER = /^ {4}\/\*\*\n {4}\* (.*)\n {4}\*\/\n {4}'([^']+)'\??:/gm;

/** Returns the descriptions in a declaration for a class and its fields; undefined if there are none. */
export function describedType(declaration: string): DescribedType | undefined {
  const members: Record<string, string> = {};
  for (const [, text = '', name = ''] of declaration.matchAll(MEMBER)) members[memberName(name)] = plainText(text);
  const text = plainText(CLASS.exec(declaration)?.[1] ?? '');
  return text === '' && Object.keys(members).length === 0 ? undefined : { text, members };
}

/** The name in JSON: the client renames fields that are not valid variable names in JavaScript. */
function memberName(name: string): string {
  return name.startsWith('x_kubernetes_') ? name.replaceAll('_', '-') : name.replace(/^_/, '');
}

/**
 * Restores the text that Kubernetes wrote: the generator escapes quotes and backslashes, splits what would end the
 * comment, and leaves two spaces at the end of a paragraph.
 */
function plainText(text: string): string {
  return text
    .replaceAll(/\\(["'*\\])/g, '$1')
    .replaceAll('\\\\', '\\')
    .replaceAll('*_/', '*/')
    .trim()
    .replaceAll(/ {2,}/g, '\n\n');
}
