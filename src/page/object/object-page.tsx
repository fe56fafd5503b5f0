// The page of an object, loaded when the first one is opened: lists come without it.

import { lazy } from '../shell/lazy.tsx';

export const ObjectPage = lazy(() => import('./object-view.tsx').then(({ ObjectView }) => ObjectView));
