// Fields of every object, declared or not: apiVersion, kind and metadata.

import { SchemaPart } from './schema-part.ts';

const TEXT = new SchemaPart({ type: 'string' });
const METADATA = new SchemaPart({
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
});
/** The most bytes of a name. */
const NAME = 253;

/**
 * The schema of a whole object including the common fields; a schema that declares all of them is unchanged.
 * @param capsNames whether names have the length that they have at most, which limits the cost of rules: from 1.37 on
 */
export function withObjectMembers(part: SchemaPart, capsNames = false): SchemaPart {
  const { properties } = part;
  const metadata = properties.get('metadata');
  const named = metadata?.types[0] === 'object' && isText(metadata, 'name') && isText(metadata, 'generateName');
  if (named && isText(part, 'kind') && isText(part, 'apiVersion')) return part;
  const own: readonly [string, SchemaPart][] = [
    ['kind', TEXT],
    ['apiVersion', TEXT],
    ['metadata', capsNames ? cappedMetadata(metadata) : METADATA],
  ];
  return part.withProperties(new Map([...properties, ...own]));
}

/** What is generated for a name is at least one byte. */
function cappedMetadata(declared: SchemaPart | undefined): SchemaPart {
  const text = (member: string, most: number) => {
    const { maxLength = most } = declared?.properties.get(member)?.limits ?? {};
    return { type: 'string', maxLength: Math.min(maxLength, most) };
  };
  return new SchemaPart({
    type: 'object',
    properties: { name: text('name', NAME), generateName: text('generateName', NAME - 1) },
  });
}

function isText(part: SchemaPart, member: string): boolean {
  return part.properties.get(member)?.types[0] === 'string';
}
