// The leader's side of the other serving threads: starts them once it serves, passes on credentials, output and metrics,
// and ends them before the store closes.

import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { EventCounter } from '../../admission/event-counts.ts';
import type { LineOutput } from '../../audit/log-writer.ts';
import { limits } from '../../base/limits.ts';
import type { ProcessChange } from '../../http/documents/debug-facts.ts';
import type { StoreHub } from '../../store/threads/store-hub.ts';
import type { ServerCredentials } from '../credentials.ts';
import type { ServerOptions } from '../options.ts';
import type { ProcessOutputs } from '../process-output.ts';
import type { Answer, FromThread, MetricsQuestion, Question, ThreadData, ToThread } from './messages.ts';
import { Questions } from './questions.ts';
import { shareOfOptions } from './shares.ts';
import type { Team, ThreadAnswers } from './team.ts';
import { newThreadSeats, ThreadSeats } from './thread-seats.ts';

interface ServingThreadsOptions {
  /** Those of the whole process. */
  readonly options: ServerOptions;
  readonly outputs: ProcessOutputs;
  readonly hostname: string;
  readonly ephemeral: boolean;
  readonly flags: (() => ReadonlyMap<string, string>) | undefined;
  readonly tokenKeyPem: string | undefined;
  /** Undefined if each thread opens etcd itself. */
  readonly hub: StoreHub | undefined;
  /** Receives the error with which a thread has ended: the process cannot go on. */
  readonly fault: (error: Error) => void;
}

export class ServingThreads implements Team {
  readonly leads = true;
  readonly size: number;
  readonly seats: ThreadSeats;
  readonly credentials = undefined;
  readonly auditLog = undefined;
  readonly eventCounter = undefined;
  readonly #needs: ServingThreadsOptions;
  readonly #memory: SharedArrayBuffer;
  #threads: readonly ServingThread[] = [];
  #current: ServerCredentials | undefined;
  #answers: ThreadAnswers | undefined;
  #audit: LineOutput | undefined;
  #events: EventCounter | undefined;

  constructor(needs: ServingThreadsOptions) {
    this.#needs = needs;
    this.size = needs.options.servingThreads;
    this.#memory = newThreadSeats(this.size);
    this.seats = new ThreadSeats(this.#memory, 0);
  }

  /**
   * Starts the other threads; resolves when all of them serve.
   * @param port that the leader listens on
   * @throws Error of the first thread that could not be started
   */
  async start(port: number): Promise<void> {
    const credentials = this.#current;
    if (credentials === undefined) throw new Error('a server without a listener has no serving threads');
    const { options, hub, ephemeral, hostname, flags, tokenKeyPem } = this.#needs;
    const share = { ...shareOfOptions(options), securePort: port };
    const facts = {
      threads: this.size,
      options: share,
      ephemeral,
      hostname,
      credentials,
      tokenKeyPem,
      flags: flags?.(),
    };
    this.#threads = Array.from({ length: this.size - 1 }, (_, index) => {
      const thread: ServingThread = new ServingThread(
        { ...facts, seat: hub?.seat(), seats: { memory: this.#memory, index: index + 1 } },
        {
          outputs: this.#needs.outputs,
          fault: (error) => this.#needs.fault(new Error(`serving thread ${index + 2} ended: ${error.message}`)),
          answer: (question) => this.#answer(question, thread),
          change: (change) => {
            this.#answers?.change(change);
            for (const other of this.#threads) if (other !== thread) other.post({ kind: 'change', change });
          },
        },
      );
      return thread;
    });
    await Promise.all(this.#threads.map(({ ready }) => ready));
  }

  publish(credentials: ServerCredentials): void {
    this.#current = credentials;
    for (const thread of this.#threads) thread.post({ kind: 'credentials', credentials });
  }

  onCredentials(): void {}

  answerBy(answers: ThreadAnswers): void {
    this.#answers = answers;
  }

  auditTo(output: LineOutput): void {
    this.#audit = output;
  }

  countEventsBy(counter: EventCounter): void {
    this.#events = counter;
  }

  othersMetrics(path: string, withNative: boolean): Promise<readonly string[]> {
    return this.#texts({ path, withNative });
  }

  changeOthers(change: ProcessChange): void {
    for (const thread of this.#threads) thread.post({ kind: 'change', change });
  }

  async drain(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.drain()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  async #answer(question: Question, thread: ServingThread): Promise<Answer> {
    if ('path' in question) {
      const own = this.#answers === undefined ? [] : [this.#answers.metrics(question.path, question.withNative)];
      return { texts: [...own, ...(await this.#texts(question, thread))] };
    }
    if ('eventKeys' in question) return { exceeded: (await this.#events?.count(question.eventKeys)) ?? [] };
    try {
      await this.#audit?.write(question.lines);
      return {};
    } catch (error) {
      return { error: (error as Error).message };
    }
  }

  async #texts(question: MetricsQuestion, except?: ServingThread): Promise<string[]> {
    const others = this.#threads.filter((thread) => thread !== except);
    return (await Promise.all(others.map((thread) => thread.ask(question)))).flatMap(({ texts = [] }) => texts);
  }
}

interface ThreadNeeds {
  readonly outputs: ProcessOutputs;
  readonly fault: (error: Error) => void;
  readonly answer: (question: Question) => Promise<Answer>;
  readonly change: (change: ProcessChange) => void;
}

class ServingThread {
  /** Rejects with the error for which the thread does not serve. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #needs: ThreadNeeds;
  readonly #questions = new Questions((message) => this.post(message));
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(data: ThreadData, needs: ThreadNeeds) {
    this.#needs = needs;
    this.ready = this.#ready.promise;
    // Next to this file and in the same form: .ts for sources, .js for the build.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
    const compileCache = getCompileCacheDir();
    this.#worker = new Worker(new URL(`./serving-thread${extension}`, import.meta.url), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: limits.threadYoungMegabytes },
      transferList: data.seat === undefined ? [] : [data.seat.port],
      env: { ...process.env, ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }) },
    });
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    this.#worker.on('error', (error) => this.#over(error as Error));
    this.#worker.on('exit', (code) => this.#over(new Error(`exit code ${code}`)));
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  ask(question: Question): Promise<Answer> {
    return this.#isEnding ? Promise.resolve({}) : this.#questions.ask(question);
  }

  /** Resolves when its requests have been answered. */
  async drain(): Promise<void> {
    this.#isEnding = true;
    this.post({ kind: 'drain' });
    await this.#ended.promise;
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  #take(message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        this.#ready.resolve();
        break;
      case 'failed':
        this.#isEnding = true;
        this.#ready.reject(new Error(message.message));
        break;
      case 'output':
        this.#needs.outputs[message.name].put(message.text);
        break;
      case 'asked':
        void this.#needs.answer(message.question).then((answer) => this.post({ kind: 'told', id: message.id, answer }));
        break;
      case 'told':
        this.#questions.told(message);
        break;
      case 'change':
        this.#needs.change(message.change);
        break;
      case 'ended':
        this.#ended.resolve();
    }
  }

  #over(error: Error): void {
    this.#questions.end();
    this.#ready.reject(error);
    this.#ended.resolve();
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#needs.fault(error);
  }
}
