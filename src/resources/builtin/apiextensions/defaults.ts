// Defaults of CustomResourceDefinition: names derived from the kind, and per-version fields that are equal in all
// versions.

import type { JsonObject } from '../../../api/object.ts';
import { storageVersionOf } from '../../custom/definition-versions.ts';
import { fillIn, objectAt, objectIn } from '../../fill-in.ts';
import { listAt, textAt } from '../../value.ts';

export function definitionDefaults(definition: JsonObject): void {
  const spec = objectIn(definition, 'spec');
  const stored = storageVersionOf(definition)?.name;
  const status = objectIn(definition, 'status');
  if (stored !== undefined && listAt(status, 'storedVersions').length === 0) status['storedVersions'] = [stored];
  const names = objectIn(spec, 'names');
  const kind = textAt(names, 'kind');
  if (kind !== '') fillIn(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  fillIn(spec, { conversion: { strategy: 'None' } });
  const conversion = objectIn(spec, 'conversion');
  const service = objectAt(objectAt(objectAt(conversion, 'webhook'), 'clientConfig'), 'service');
  if (service !== undefined) fillIn(service, { port: 443 });
}
