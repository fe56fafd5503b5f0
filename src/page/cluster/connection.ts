// The page's single connection for watches.

import { WatchConnection } from './watch-connection.ts';

export const connection = new WatchConnection();
