// Defaults of APIService: the port of its service.

import type { Draft } from '../../../api/object.ts';
import { fillIn } from '../../fill-in.ts';
import type { APIService } from './v1-objects.ts';

export function apiServiceDefaults(apiService: Draft<APIService>): void {
  const service = apiService.spec?.service;
  if (service !== undefined) fillIn(service, { port: 443 });
}
