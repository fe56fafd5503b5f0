// A request as loads send it.

import type { LoadRequest } from './http2-connection.ts';

export type TextRequest = Omit<LoadRequest, 'body'> & { readonly body?: string };
