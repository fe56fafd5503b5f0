// OpenAPI documents.

import type { ApiServices } from './api-services.ts';
import type { RequestContext } from './request-context.ts';

export class OpenApiHandler {
  readonly #services: ApiServices;
  constructor(services: ApiServices) {
    this.#services = services;
  }
  async respond(_context: RequestContext, _path: string): Promise<boolean> {
    void this.#services;
    return false;
  }
}
