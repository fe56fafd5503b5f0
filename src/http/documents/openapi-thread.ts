// The main thread's side of the thread that encodes OpenAPI v2 entries. It lives as long as one assembly needs it.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Turn } from '../../base/short-turns.ts';
import type { EncodedMembers } from '../../resources/openapi/encoded-entries.ts';
import type { EncodeReply, EncodeRequest } from './openapi-worker.ts';

export class OpenApiThread {
  #worker: Worker | undefined;
  /** Why the thread has ended. */
  #ended: Error | undefined;
  #waiting: { resolve: (members: EncodedMembers) => void; reject: (error: Error) => void } | undefined;

  /**
   * One call at a time; the first one starts the thread. Rejects with the error of the thread.
   * @param definitions of the resources, as JSON; other requests run between them
   */
  async encode(request: EncodeRequest, definitions: Iterable<Uint8Array>, turn: Turn): Promise<EncodedMembers> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    for (const definition of definitions) {
      // Posting a view would copy all that it is a view of.
      const bytes = new Uint8Array(definition);
      worker.postMessage(bytes, [bytes.buffer]);
      await turn.over();
    }
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting = { resolve, reject };
      worker.postMessage(request);
    });
  }

  async stop(): Promise<void> {
    this.#waiting = undefined;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Next to this file and in the same form: .ts for sources, .js for the build.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const compileCache = getCompileCacheDir();
    const worker = new Worker(new URL(`./openapi-worker${extension}`, import.meta.url), {
      execArgv: [],
      env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
    });
    worker.on('message', (reply: EncodeReply) => {
      if ('members' in reply) this.#waiting?.resolve(reply.members);
      else this.#waiting?.reject(new Error(reply.fault));
    });
    const ends = (fault: Error) => {
      this.#ended ??= fault;
      this.#waiting?.reject(fault);
    };
    worker.on('error', (error) => ends(error as Error));
    worker.on('exit', (code) => ends(new Error(`the thread for OpenAPI exited with code ${code}`)));
    return worker;
  }
}
