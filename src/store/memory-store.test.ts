import { storeContract } from '../../test/contract/store.ts';
import { MemoryStore } from './memory-store.ts';

storeContract('memory store', async (context) => ({ store: new MemoryStore(context) }));
