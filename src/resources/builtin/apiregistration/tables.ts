// How API services are listed.

import type { ApiObject } from '../../../api/object.ts';
import type { TableColumns } from '../../definition.ts';
import { age, condition, table } from '../../table.ts';
import { at, isObject, textAt } from '../../value.ts';

export const apiServiceTable: TableColumns = table(['Service', 'Available', 'Age'], (apiService) => {
  const service = at(apiService, 'spec', 'service');
  return [
    isObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local',
    available(apiService),
    age(apiService),
  ];
});

function available(apiService: ApiObject): string {
  const found = condition(apiService, 'Available');
  if (found === undefined) return 'Unknown';
  const status = textAt(found, 'status');
  return status === 'True' ? status : `${status} (${textAt(found, 'reason')})`;
}
