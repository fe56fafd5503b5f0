// The types of kinds for an editor, read once each.

import { useMemo } from 'preact/hooks';
import { type Resource, resourceOfKind } from '../cluster/discovery.ts';
import type { SchemaOf } from './language-support.ts';
import { type KindSchema, kindSchema } from './schema.ts';
import { parseYaml } from './yaml-text.ts';

/** The type of one kind, whatever a document says of itself; read when it is first needed. */
export function useSchema(resource: Resource): SchemaOf {
  return useMemo(() => {
    let schema: Promise<KindSchema | undefined> | undefined;
    return () => (schema ??= readable(resource));
  }, [resource]);
}

/** The types of the kinds that documents name. */
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

/** Without a type the editor edits text. */
function readable(resource: Resource): Promise<KindSchema | undefined> {
  return kindSchema(resource).catch(() => undefined);
}

/** The names of the kind in text that has faults: it is being typed. */
function namesIn(document: string): { apiVersion?: string; kind?: string } {
  const [, apiVersion] = /^apiVersion:\s*["']?([\w./-]+)/m.exec(document) ?? [];
  const [, kind] = /^kind:\s*["']?(\w+)/m.exec(document) ?? [];
  return { ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }) };
}
