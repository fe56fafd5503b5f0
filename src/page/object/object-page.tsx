// The page of an object, loaded when the first one is opened: lists come without it.

import { type Lazy, lazy } from '../shell/lazy.tsx';
import type { ObjectViewProps } from './object-view.tsx';

export const ObjectPage: Lazy<ObjectViewProps> = lazy(() =>
  import('./object-view.tsx').then(({ ObjectView }) => ObjectView),
);
