// A terminal in a container of a pod: a command that runs there, what it prints, and what is typed to it.

import { useSignal } from '@preact/signals';
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'preact/hooks';
import { useRefusal } from '../actions/rights.ts';
import type { LiveObject } from '../object/live-object.ts';
import { containersOf } from '../summary/containers.ts';
import { endOf, messageTo, PROTOCOLS, readMessage, resizeMessage, wordsOf } from './exec-channel.ts';
import { withStyleNonce } from './style-nonce.ts';

/** What runs in the terminal. */
interface Run {
  readonly container: string;
  readonly command: string;
}

export function TerminalTab({ live }: { readonly live: LiveObject }) {
  const { namespace = '', name } = live.object.value?.metadata ?? {};
  const containers = containersOf(live.object.value).filter(({ role }) => role !== 'init');
  const container = useSignal(containers[0]?.name ?? '');
  const command = useSignal('sh');
  const run = useSignal<Run | undefined>(undefined);
  const refusal = useRefusal([
    { verb: 'get', group: '', resource: 'pods', subresource: 'exec', namespace, ...(name !== undefined && { name }) },
  ]);
  const isIncomplete = wordsOf(command.value).length === 0;
  return (
    <div class="tab">
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          run.value = { container: container.value, command: command.value };
        }}
      >
        <select
          aria-label="Container"
          value={container.value}
          onChange={({ currentTarget }) => {
            container.value = currentTarget.value;
          }}
        >
          {containers.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
        <input
          aria-label="Command"
          class="mono"
          value={command.value}
          onInput={({ currentTarget }) => {
            command.value = currentTarget.value;
          }}
        />
        <button type="submit" class="primary" disabled={refusal !== '' || isIncomplete}>
          {run.value === undefined ? 'Run' : 'Run again'}
        </button>
        {refusal !== undefined && refusal !== '' && <span class="weak">{refusal}</span>}
      </form>
      {run.value !== undefined && <Screen live={live} run={run.value} />}
    </div>
  );
}

function Screen({ live, run }: { readonly live: LiveObject; readonly run: Run }) {
  const element = useRef<HTMLDivElement>(null);
  const end = useSignal('');
  useEffect(() => {
    end.value = '';
    return connect({
      element: element.current!,
      path: execPath(live.path, run),
      onEnd: (text) => {
        end.value = text;
      },
    });
  }, [run]);
  return (
    <>
      {end.value !== '' && (
        <p class="remark" role="status">
          It ended: {end.value}
        </p>
      )}
      <div ref={element} class="exec-screen" role="group" aria-label={`Terminal of ${run.container}`} />
    </>
  );
}

function execPath(pod: string, { container, command }: Run): string {
  const query = new URLSearchParams({ container, stdin: 'true', stdout: 'true', tty: 'true' });
  for (const word of wordsOf(command)) query.append('command', word);
  return `${pod}/exec?${query}`;
}

interface Connected {
  readonly element: HTMLElement;
  readonly path: string;
  readonly onEnd: (text: string) => void;
}

/** Connects a terminal with a command. Returns a function that ends both. */
function connect({ element, path, onEnd }: Connected): () => void {
  const style = getComputedStyle(element);
  const terminal = new Terminal({
    ...{ screenReaderMode: true, fontSize: 13 },
    fontFamily: style.getPropertyValue('--mono'),
    theme: { background: style.backgroundColor, foreground: style.color, cursor: style.color },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  withStyleNonce(() => terminal.open(element));
  fit.fit();
  const socket = new WebSocket(`ws://${location.host}/k8s${path}`, PROTOCOLS);
  socket.binaryType = 'arraybuffer';
  const send = (message: Uint8Array<ArrayBuffer>): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(message);
  };
  let ending = '';
  socket.addEventListener('open', () => send(resizeMessage(terminal.cols, terminal.rows)));
  socket.addEventListener('message', ({ data }) => {
    const { channel, bytes } = readMessage(data as ArrayBuffer);
    if (channel === 'stdout' || channel === 'stderr') terminal.write(bytes);
    else if (channel === 'status') ending = endOf(bytes);
  });
  socket.addEventListener('close', ({ reason }) => onEnd(ending || reason || 'the connection was closed'));
  terminal.onData((text) => send(messageTo('stdin', text)));
  terminal.onResize(({ cols, rows }) => send(resizeMessage(cols, rows)));
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(element);
  terminal.focus();
  return () => {
    observer.disconnect();
    socket.close();
    terminal.dispose();
  };
}
