// Fields of every object, declared or not: apiVersion, kind and metadata.

import { SchemaPart } from './schema-part.ts';

const TEXT = new SchemaPart({ type: 'string' });
const OBJECT_MEMBERS: ReadonlyMap<string, SchemaPart> = new Map([
  ['kind', TEXT],
  ['apiVersion', TEXT],
  [
    'metadata',
    new SchemaPart({ type: 'object', properties: { name: { type: 'string' }, generateName: { type: 'string' } } }),
  ],
]);

/** The schema of a whole object including the common fields; a schema that declares all of them is unchanged. */
export function withObjectMembers(part: SchemaPart): SchemaPart {
  const { properties } = part;
  const metadata = properties.get('metadata');
  const named = metadata?.types[0] === 'object' && isText(metadata, 'name') && isText(metadata, 'generateName');
  if (named && isText(part, 'kind') && isText(part, 'apiVersion')) return part;
  return part.withProperties(new Map([...properties, ...OBJECT_MEMBERS]));
}

function isText(part: SchemaPart, member: string): boolean {
  return part.properties.get(member)?.types[0] === 'string';
}
