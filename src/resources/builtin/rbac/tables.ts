// Table columns of RoleBinding and ClusterRoleBinding; roles have the default table.

import type { TableColumns } from '../../definition.ts';
import { age, table, wide } from '../../table.ts';
import type { ClusterRoleBinding, RoleBinding } from './v1-objects.ts';

export const bindingTable: TableColumns<RoleBinding | ClusterRoleBinding> = table(
  ['Role', 'Age', wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  (binding) => [
    `${binding.roleRef?.kind ?? ''}/${binding.roleRef?.name ?? ''}`,
    age(binding),
    subjects(binding, 'User'),
    subjects(binding, 'Group'),
    subjects(binding, 'ServiceAccount'),
  ],
);

function subjects(binding: RoleBinding | ClusterRoleBinding, kind: string): string {
  return (binding.subjects ?? [])
    .filter((subject) => (subject.kind ?? '') === kind)
    .map((subject) => {
      const name = subject.name ?? '';
      return kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${name}` : name;
    })
    .join(', ');
}
