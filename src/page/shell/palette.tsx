// The command palette: kinds, views, commands and objects by a few letters, from anywhere, without the mouse.

import { computed, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lastNamespace } from '../browse/preferences.ts';
import { type Resource, resources } from '../cluster/discovery.ts';
import { session } from '../cluster/session.ts';
import { type Command, objectCommand, resourceCommands, viewCommands } from './commands.ts';
import { findObjects, MAX_OF_KIND, ObjectSearch } from './object-search.ts';
import { rank } from './rank.ts';

const SHOWN = 50;
/** From how many letters on objects are searched. */
const MIN_LETTERS = 2;

const isOpen = signal(false);
const query = signal('');
const chosen = signal(0);

const commands = computed<readonly Command[]>(() => [
  ...viewCommands(session.value),
  ...resourceCommands(resources.value),
]);
/** The objects of the cluster, read anew each time that the palette is opened and something is typed. */
const search = signal(new ObjectSearch());

const found = computed(() => {
  const objects = findObjects(search.value.objects.value, query.value, SHOWN);
  const typed = query.value.trim().toLowerCase();
  // What only has the letters somewhere comes after objects that are called that.
  const ranked = Map.groupBy(rank(commands.value, typed).slice(0, SHOWN), ({ title, words }) =>
    [title, ...words].some((word) => word.toLowerCase().includes(typed)),
  );
  return [...(ranked.get(true) ?? []), ...objects.map(objectCommand), ...(ranked.get(false) ?? [])];
});

/** Opens the palette with nothing typed. */
export function openPalette(): void {
  query.value = '';
  chosen.value = 0;
  search.peek().stop();
  search.value = new ObjectSearch();
  isOpen.value = true;
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: the next key that is pressed belongs to it.
  useLayoutEffect(() => {
    if (isOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen.value]);
  useEffect(() => {
    document.getElementById(`command-${chosen.value}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen.value]);
  if (!isOpen.value) return null;
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Command palette"
      onClose={() => {
        isOpen.value = false;
      }}
      onClick={({ target }) => {
        if (target === dialog.current) isOpen.value = false;
      }}
    >
      <input
        autofocus
        role="combobox"
        aria-label="Go to a kind, a view, a command or an object"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={`command-${chosen.value}`}
        placeholder="Go to a kind, a view, a command or an object"
        value={query.value}
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value;
          chosen.value = 0;
          if (currentTarget.value.trim().length >= MIN_LETTERS)
            search.value.start(resources.value, lastNamespace.value.split(',').filter(Boolean));
        }}
        onKeyDown={onKey}
      />
      <div role="listbox" id="commands" aria-label="Commands" tabIndex={-1}>
        {found.value.map((command, at) => (
          <div
            key={command.id}
            id={`command-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen.value}
            onMouseMove={() => {
              chosen.value = at;
            }}
            onClick={() => run(command)}
            onKeyDown={onKey}
          >
            <span>{command.title}</span>
            <span class="weak">{command.hint}</span>
          </div>
        ))}
        {found.value.length === 0 && (
          <p class="empty">{search.value.isReading.value ? 'Searching objects…' : 'Nothing found.'}</p>
        )}
      </div>
      {search.value.cut.value.length > 0 && <p class="weak">{cutNote(search.value.cut.value)}</p>}
    </dialog>
  );
}

function cutNote(kinds: readonly Resource[]): string {
  const names = kinds.map(({ name }) => name).join(', ');
  return `Only the first ${MAX_OF_KIND.toLocaleString('en')} objects are searched of: ${names}.`;
}

function onKey(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    const count = Math.max(1, found.value.length);
    chosen.value = (chosen.value + step + count) % count;
  } else if (event.key === 'Enter') {
    const command = found.value[chosen.value];
    if (command !== undefined) run(command);
  } else return;
  event.preventDefault();
}

function run(command: Command): void {
  isOpen.value = false;
  command.run();
}
