// Two servers that get the same requests, and the differences between their answers.

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/api/object.ts';

export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Attempts to see what a definition leads to, and the time between two. */
const [ATTEMPTS, BETWEEN_MS] = [400, 25];

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Sends a request to a server; patches are applied configurations. */
export type Ask = (method: string, path: string, body?: JsonObject) => Promise<Answer>;

export interface Outcome {
  /** Answers that were compared. */
  readonly answers: number;
  readonly differences: readonly string[];
}

/** The answers of the real kube-apiserver, which comes first, and of Keelson. */
export class Comparison implements Outcome {
  readonly differences: string[] = [];
  answers = 0;
  readonly servers: readonly [Ask, Ask];

  constructor(...servers: readonly [Ask, Ask]) {
    this.servers = servers;
  }

  /** Compares what `told` takes of both servers' answers. @returns the answers */
  async both(
    what: string,
    request: (ask: Ask, index: number) => Promise<Answer>,
    told: (answer: Answer) => unknown,
  ): Promise<readonly [Answer, Answer]> {
    const [one, other] = this.servers;
    const answers = await Promise.all([request(one, 0), request(other, 1)]);
    const [expected, actual] = answers.map(told);
    this.answers++;
    if (!isDeepStrictEqual(actual, expected)) {
      this.differences.push(`${what}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
    }
    return answers;
  }
}

/** What is compared of a refusal: the status and the errors; theirs is the order of Go's maps. */
export function refusal({ status, body }: Answer): unknown {
  const { causes = [] } = (body['details'] ?? {}) as { causes?: { field: string; message: string }[] };
  return [
    status,
    causes.length === 0 ? body['message'] : causes.map((each) => `${each.field}: ${each.message}`).sort(),
  ];
}

/** Asks until the answer has a status. @throws Error if it never has */
export async function answered(status: number, request: () => Promise<Answer>): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if ((await request()).status === status) return;
    await sleep(BETWEEN_MS);
  }
  throw new Error(`no answer has the status ${status}`);
}
