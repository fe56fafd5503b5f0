// The pages that contain the editor, as one chunk of the bundle.

export { NewObject } from './new-object.tsx';
export { ObjectView } from './object-view.tsx';
