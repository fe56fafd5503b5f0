// The pages with the editor, as one part of the bundle.

export { NewObject } from './new-object.tsx';
export { ObjectView } from './object-view.tsx';
