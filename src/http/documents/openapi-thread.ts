// The main thread's side of the thread that encodes OpenAPI v2 entries. It lives as long as one assembly needs it.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { EncodedMembers } from '../../resources/openapi/encoded-entries.ts';
import type { EncodeReply, EncodeRequest } from './openapi-worker.ts';

export class OpenApiThread {
  #worker: Worker | undefined;
  #waiting: { resolve: (members: EncodedMembers) => void; reject: (error: Error) => void } | undefined;

  /** One call at a time; the first one starts the thread. Rejects with the error of the thread. */
  encode(request: EncodeRequest): Promise<EncodedMembers> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
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
    worker.on('error', (error) => this.#waiting?.reject(error as Error));
    worker.on('exit', (code) => this.#waiting?.reject(new Error(`the thread for OpenAPI exited with code ${code}`)));
    return worker;
  }
}
