// The types of kinds for an editor, each read once.

import { useMemo } from 'preact/hooks';
import { type Resource, resourceOfKind } from '../cluster/discovery.ts';
import type { SchemaOf } from './language-support.ts';
import { type KindSchema, kindSchema } from './schema.ts';
import { parseYaml } from './yaml-text.ts';

/** Returns the type of one kind, whatever the document declares; it is read on first use. */
export function useSchema(resource: Resource): SchemaOf {
  return useMemo(() => {
    let schema: Promise<KindSchema | undefined> | undefined;
    return () => (schema ??= readable(resource));
  }, [resource]);
}

/** Returns the types of the kinds that documents declare. */
export function useSchemas(): SchemaOf {
  const known = useMemo(() => new Map<Resource, Promise<KindSchema | undefined>>(), []);
  return async (document) => {
    const { value } = parseYaml(document);
    const { apiVersion, kind } = (value ?? namesIn(document)) as { apiVersion?: unknown; kind?: unknown };
    const resource = resourceOfKind(String(apiVersion), String(kind));
    if (resource === undefined) return undefined;
    const schema = known.get(resource) ?? readable(resource);
    known.set(resource, schema);
    return schema;
  };
}

/** Without a type the editor still edits text. */
function readable(resource: Resource): Promise<KindSchema | undefined> {
  return kindSchema(resource).catch(() => undefined);
}

/** Finds the kind in text that does not parse because it is being typed. */
function namesIn(document: string): { apiVersion?: string; kind?: string } {
  const [, apiVersion] = /^apiVersion:\s*["']?([\w./-]+)/m.exec(document) ?? [];
  const [, kind] = /^kind:\s*["']?(\w+)/m.exec(document) ?? [];
  return { ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }) };
}
