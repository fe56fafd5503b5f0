// The menu of narrow windows: whether the kinds, which have their own column in wide windows, lie over the view.

import { computed, signal } from '@preact/signals';
import { place } from './router.ts';

/** The location at which the menu was opened; it closes when another is shown. */
const openedAt = signal<unknown>(undefined);

export const isMenuOpen = computed(() => openedAt.value === place.value);

export function toggleMenu(): void {
  openedAt.value = isMenuOpen.value ? undefined : place.value;
}

export function closeMenu(): void {
  openedAt.value = undefined;
}
