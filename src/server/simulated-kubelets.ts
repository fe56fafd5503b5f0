// Requests to kubelets of simulated nodes, which are answered within the process. All others go to where they belong.

import { Readable } from 'node:stream';
import type { Simulated } from '../cluster/nodes/simulation.ts';
import type { BackendAnswer } from '../outbound/backends.ts';
import type { BackendCaller } from './backends.ts';

export function withSimulatedKubelets(backends: BackendCaller, simulated: Simulated): BackendCaller {
  return {
    async call(call) {
      const answer = call.kubelet ? simulated.current?.answer(call) : undefined;
      if (answer === undefined) return backends.call(call);
      const { status, contentType, body } = answer;
      const pieces = typeof body === 'string' ? (body === '' ? [] : [body]) : body;
      return {
        status,
        statusText: '',
        rawHeaders: ['Content-Type', contentType],
        body: Readable.from(pieces, { objectMode: false }),
        upgraded: undefined,
      } satisfies BackendAnswer;
    },
  };
}
