// Logs flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const logsFlags: readonly Flag[] = [
  { name: 'v', letter: 'v', type: 'level', option: 'verbosity', help: 'How much to log; larger is more.' },
  {
    name: 'vmodule',
    type: 'patterns',
    option: 'vmodule',
    help: 'How much files whose names fit log: file=N,pattern*=M.',
  },
  { name: 'logging-format', type: 'string', option: 'loggingFormat', help: 'Form of log entries: text or json.' },
  {
    name: 'log-text-split-stream',
    type: 'bool',
    option: 'logTextSplitStream',
    help: 'Write messages other than errors to standard output. Alpha.',
  },
  {
    name: 'log-json-split-stream',
    type: 'bool',
    option: 'logJsonSplitStream',
    help: 'The same for the format json. Alpha.',
  },
];
