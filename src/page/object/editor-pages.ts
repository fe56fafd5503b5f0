// The views that contain the editor, as one chunk of the bundle.

export { ApplyTab } from './apply-tab.tsx';
export { FieldsTab } from './fields-tab.tsx';
export { HistoryTab } from './history-tab.tsx';
export { NewObject } from './new-object.tsx';
export { ObjectDiff } from './object-diff.tsx';
export { YamlTab } from './yaml-tab.tsx';
