// A serving thread: a server of its own on the store of the leading thread, or on etcd, that shares the leader's port.

import { parentPort, workerData } from 'node:worker_threads';
import type { EventCounter } from '../../admission/event-counts.ts';
import type { LineOutput } from '../../audit/log-writer.ts';
import { TokenKey } from '../../auth/authn/token-key.ts';
import type { ProcessChange } from '../../http/documents/debug-facts.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';
import type { ServerCredentials } from '../credentials.ts';
import { ProcessOutput } from '../process-output.ts';
import { type Server, startServer } from '../server.ts';
import type { Answer, FromThread, Question, ThreadData, ToThread } from './messages.ts';
import { Questions } from './questions.ts';
import type { Team, ThreadAnswers } from './team.ts';
import { ThreadSeats } from './thread-seats.ts';

class FollowingTeam implements Team {
  readonly leads = false;
  readonly size: number;
  readonly seats: ThreadSeats;
  readonly credentials: ServerCredentials;
  readonly questions = new Questions(post);
  readonly auditLog: LineOutput;
  readonly eventCounter: EventCounter;
  answers: ThreadAnswers | undefined;
  applyCredentials: (credentials: ServerCredentials) => void = () => {};

  constructor({ threads, credentials, seats }: ThreadData) {
    this.size = threads;
    this.seats = new ThreadSeats(seats.memory, seats.index);
    this.credentials = credentials;
    this.eventCounter = { count: async (eventKeys) => (await this.questions.ask({ eventKeys })).exceeded ?? [] };
    this.auditLog = { write: (lines) => this.#audit(lines), close: async () => {} };
  }

  publish(): void {}

  answer(question: Question): Answer {
    return 'path' in question && this.answers !== undefined
      ? { texts: [this.answers.metrics(question.path, question.withNative)] }
      : {};
  }

  onCredentials(listener: (credentials: ServerCredentials) => void): void {
    this.applyCredentials = listener;
  }

  answerBy(answers: ThreadAnswers): void {
    this.answers = answers;
  }

  auditTo(): void {}

  countEventsBy(): void {}

  async othersMetrics(path: string, withNative: boolean): Promise<readonly string[]> {
    return (await this.questions.ask({ path, withNative })).texts ?? [];
  }

  changeOthers(change: ProcessChange): void {
    post({ kind: 'change', change });
  }

  async drain(): Promise<void> {}

  async close(): Promise<void> {}

  async #audit(lines: readonly string[]): Promise<void> {
    const { error } = await this.questions.ask({ lines });
    if (error !== undefined) throw new Error(error);
  }
}

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

function output(name: 'out' | 'err'): ProcessOutput {
  return new ProcessOutput(name === 'out' ? 'stdout' : 'stderr', (text, done) => {
    post({ kind: 'output', name, text });
    done(undefined);
  });
}

async function run(data: ThreadData): Promise<void> {
  const { options, ephemeral, hostname, flags, tokenKeyPem, seat } = data;
  const team = new FollowingTeam(data);
  let server: Server | undefined;
  parentPort?.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'credentials':
        team.applyCredentials(message.credentials);
        break;
      case 'asked':
        post({ kind: 'told', id: message.id, answer: team.answer(message.question) });
        break;
      case 'told':
        team.questions.told(message);
        break;
      case 'change':
        team.answers?.change(message.change);
        break;
      case 'drain':
        void end(server);
    }
  });
  try {
    server = await startServer(options, {
      ...{ team, ephemeral, hostname, outputs: { out: output('out'), err: output('err') } },
      kubeconfigFolder: undefined,
      keys: tokenKeyPem === undefined ? undefined : { tokens: TokenKey.fromPem(tokenKeyPem) },
      flags: flags && (() => flags),
      store: seat && Promise.resolve(new ThreadStore(seat)),
    });
    post({ kind: 'ready' });
  } catch (error) {
    post({ kind: 'failed', message: (error as Error).message });
  }
}

async function end(server: Server | undefined): Promise<void> {
  await server?.drain();
  await server?.close();
  post({ kind: 'ended' });
  parentPort?.close();
}

void run(workerData as ThreadData);
