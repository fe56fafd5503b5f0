import { storeContract } from '../../test/contract/store.ts';
import { MemoryStore } from './memory-store.ts';

storeContract('the memory store', async (context) => ({ store: new MemoryStore(context) }));
