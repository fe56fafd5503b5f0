// The frame of the page: the bar at the top, the kinds at the side, and the view that the address names.

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { chooseContext, session } from '../cluster/session.ts';
import { takeDropped } from './dropped-files.ts';
import { KeysDialog, showKeys } from './keys-dialog.tsx';
import { closeMenu, isMenuOpen, toggleMenu } from './menu.ts';
import { openPalette, Palette } from './palette.tsx';
import { Sidebar } from './sidebar.tsx';
import { nextTheme, theme } from './theme.ts';

export function Shell({ children }: { readonly children: ComponentChildren }) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') closeMenu();
      if (event.key === '?' && !isTyping(event)) showKeys();
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openPalette();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class={isMenuOpen.value ? 'shell with-menu' : 'shell'}>
      <TopBar />
      <Sidebar />
      <main
        class="main"
        onDragOver={(event) => {
          // Without it the browser opens files that are dropped.
          if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
        }}
        onDropCapture={(event) => takeDropped(event, event.dataTransfer)}
        onPasteCapture={(event) => takeDropped(event, event.clipboardData)}
      >
        {children}
      </main>
      <Palette />
      <KeysDialog />
    </div>
  );
}

/** Whether a key goes into a text. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (target as Element).closest('input, textarea, select, [contenteditable="true"], .terminal') !== null;
}

function TopBar() {
  const known = session.value;
  return (
    <header class="top">
      <button type="button" class="menu" onClick={toggleMenu} aria-expanded={isMenuOpen.value}>
        Menu
      </button>
      <a class="brand" href="/">
        Keelson
      </a>
      {known !== undefined && (
        <label>
          <span class="visually-hidden">Context</span>
          <select
            value={known.context}
            onChange={({ currentTarget }) => void chooseContext(currentTarget.value).then(() => location.assign('/'))}
          >
            {known.contexts.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <span class="weak mono address">{known?.server}</span>
      {known?.readOnly === true && <span class="badge warn">read-only</span>}
      <span class="grow" />
      <button type="button" class="find" onClick={openPalette}>
        <span>Go to…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <button
        type="button"
        class="plain"
        onClick={showKeys}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        ?
      </button>
      <button type="button" class="plain" onClick={nextTheme} aria-label={`Theme: ${theme.value}`}>
        {{ system: '◐', light: '☀', dark: '☾' }[theme.value]}
      </button>
    </header>
  );
}
