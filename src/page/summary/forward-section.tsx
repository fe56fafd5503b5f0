// Port forwarding of a pod: what its containers listen to, opened on the machine on which the console runs.

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { PortForward } from '../../api/console-answers.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { portForwards, readForwards, startForward, stopForward } from '../cluster/port-forwards.ts';
import type { ApiObject } from '../object/live-object.ts';
import { listAt, numberAt, textAt } from '../relations/members.ts';

/** How often the page asks why connections failed, while it shows ports that are open. */
const EVERY_MS = 3_000;

export function ForwardSection({ pod }: { readonly pod: ApiObject }) {
  const { namespace = '', name } = pod.metadata;
  const ports = portsOf(pod);
  const own = portForwards.value.filter((each) => each.namespace === namespace && each.pod === name);
  const port = useSignal(String(ports[0] ?? ''));
  const fault = useSignal('');
  const id = useId();
  const isWatched = own.length > 0;
  useEffect(() => {
    void readForwards().catch(() => {});
    if (!isWatched) return undefined;
    const timer = setInterval(() => void readForwards().catch(() => {}), EVERY_MS);
    return () => clearInterval(timer);
  }, [isWatched]);
  const act = async (work: Promise<void>): Promise<void> => {
    fault.value = '';
    await work.catch((error: Error) => {
      fault.value = error.message;
    });
  };
  const isRunning = textAt(pod, 'status', 'phase') === 'Running';
  if (!isRunning && own.length === 0) return null;
  const number = Number(port.value);
  const isPort = Number.isInteger(number) && number > 0 && number <= 65_535;
  return (
    <section>
      <h2>Port forwarding</h2>
      {own.map((each) => (
        <Forwarded key={each.id} forward={each} onStop={() => void act(stopForward(each.id))} />
      ))}
      <div class="forward">
        <label for={id}>Port</label>
        <input
          id={id}
          type="number"
          min={1}
          max={65_535}
          list={`${id}-ports`}
          value={port.value}
          onInput={({ currentTarget }) => {
            port.value = currentTarget.value;
          }}
        />
        <datalist id={`${id}-ports`}>
          {ports.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <ActionButton
          label="Forward"
          needs={[{ verb: 'create', group: '', resource: 'pods', subresource: 'portforward', namespace, name }]}
          hindrance={isPort ? '' : 'Name a port of the pod.'}
          onClick={() => void act(startForward({ namespace, pod: name, port: number, localPort: 0 }))}
        />
      </div>
      {fault.value !== '' && (
        <p class="notice bad" role="alert">
          {fault.value}
        </p>
      )}
    </section>
  );
}

function Forwarded({ forward, onStop }: { readonly forward: PortForward; readonly onStop: () => void }) {
  const address = `127.0.0.1:${forward.localPort}`;
  return (
    <p class="forward">
      <span>
        Port {forward.port} is open at{' '}
        <a href={`http://${address}`} target="_blank" rel="noreferrer">
          {address}
        </a>
      </span>
      <button type="button" aria-label={`Stop forwarding port ${forward.port}`} onClick={onStop}>
        Stop
      </button>
      {forward.fault !== '' && <span class="tone bad">{forward.fault}</span>}
    </p>
  );
}

/** The ports that the containers declare, each once. */
function portsOf(pod: ApiObject): number[] {
  const declared = listAt(pod, 'spec', 'containers').flatMap((container) =>
    listAt(container, 'ports').flatMap((port) =>
      ['', 'TCP'].includes(textAt(port, 'protocol')) ? [numberAt(port, 'containerPort')] : [],
    ),
  );
  return [...new Set(declared)];
}
