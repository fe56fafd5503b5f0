// Logs flags of `keelson serve`: a row for each.

import type { Flag } from './flag.ts';

export const logsFlags: readonly Flag[] = [
  { name: 'v', letter: 'v', type: 'level', option: 'verbosity', help: 'Log verbosity.' },
  {
    name: 'vmodule',
    type: 'patterns',
    option: 'vmodule',
    help: 'Log verbosity of matching files: file=N,pattern*=M.',
  },
  { name: 'logging-format', type: 'string', option: 'loggingFormat', help: 'Format of log entries: text or json.' },
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
