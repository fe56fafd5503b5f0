// Interface for finding the servers of APIServices.

import type { RemoteApiService } from '../../aggregator/api-service-index.ts';
import type { BackendLocation } from '../../verbs/connect-location.ts';

/** Access to other API servers; supplied by the composition root. */
export interface ApiServiceRoutes {
  /** The address of an APIService's server, and how to verify it. Rejects if there is none. */
  locate(apiService: RemoteApiService): Promise<Pick<BackendLocation, 'host' | 'port' | 'tls'>>;
}
