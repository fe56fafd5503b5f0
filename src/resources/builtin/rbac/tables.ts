// How role bindings are listed; roles have the default table.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, table, wide } from '../../table.ts';
import { listAt, textAt } from '../../value.ts';

export const bindingTable: TableColumns = table(
  ['Role', 'Age', wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  (binding) => [
    `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`,
    age(binding),
    subjects(binding, 'User'),
    subjects(binding, 'Group'),
    subjects(binding, 'ServiceAccount'),
  ],
);

function subjects(binding: ApiObject, kind: string): string {
  return listAt(binding, 'subjects')
    .filter((subject) => textAt(subject, 'kind') === kind)
    .map((subject) => {
      const namespace = kind === 'ServiceAccount' ? textAt(subject, 'namespace') : '';
      return namespace === '' ? textAt(subject, 'name') : `${namespace}/${textAt(subject, 'name')}`;
    })
    .join(', ');
}
