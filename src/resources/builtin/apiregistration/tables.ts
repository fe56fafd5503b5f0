// Table columns of APIService.

import { condition } from '../../conditions.ts';
import type { TableColumns } from '../../definition.ts';
import { age, table } from '../../table.ts';
import type { APIService } from './v1-objects.ts';

export const apiServiceTable: TableColumns<APIService> = table(['Service', 'Available', 'Age'], (apiService) => {
  const service = apiService.spec?.service;
  return [
    service !== undefined ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
    available(apiService),
    age(apiService),
  ];
});

function available(apiService: APIService): string {
  const found = condition(apiService, 'Available');
  if (found === undefined) return 'Unknown';
  const status = found.status ?? '';
  return status === 'True' ? status : `${status} (${found.reason ?? ''})`;
}
