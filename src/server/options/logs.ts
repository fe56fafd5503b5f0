// Options of the log: its format and streams.

import { compareQuantities, parseQuantity } from '../../api/quantity.ts';
import { goQuote } from '../../base/go-quote.ts';
import type { UnusedFlags } from './unused-flags.ts';

export interface LogOptions {
  /** Verbosity: 0 is for operators, higher levels are for debugging. */
  readonly verbosity: number;
  /** Verbosity of matching files, such as `http*=4,listener=5`; '' for none. */
  readonly vmodule: string;
  /** `text`, or `json` for one object per line. */
  readonly loggingFormat: string;
  /**
   * Whether only errors go to standard error and the rest to standard output; requires the gate LoggingAlphaOptions.
   */
  readonly logTextSplitStream: boolean;
  readonly logJsonSplitStream: boolean;
}

export const defaultLogOptions: LogOptions = {
  verbosity: 0,
  vmodule: '',
  loggingFormat: 'text',
  logTextSplitStream: false,
  logJsonSplitStream: false,
};

/** Errors in kube-apiserver's words. */
export function logProblems(
  options: LogOptions & { readonly featureGates: Readonly<Record<string, boolean>> },
  unused: BufferSizes,
): string[] {
  const { loggingFormat } = options;
  const problems: string[] = [];
  if (loggingFormat !== 'text' && loggingFormat !== 'json') {
    problems.push(`format: Invalid value: ${goQuote(loggingFormat)}: Unsupported log format`);
  }
  if (options.vmodule !== '' && loggingFormat !== '' && loggingFormat !== 'text') {
    problems.push('vmodule: Forbidden: Only supported for text log format');
  }
  const alpha: [field: string, isSet: boolean][] = [
    ['text.splitStream', options.logTextSplitStream],
    ['text.infoBufferSize', isSize(unused['log-text-info-buffer-size'])],
    ['json.splitStream', options.logJsonSplitStream],
    ['json.infoBufferSize', isSize(unused['log-json-info-buffer-size'])],
  ];
  for (const [field, isSet] of alpha) {
    if (!isSet || alphaOptions(options.featureGates)) continue;
    problems.push(`options.${field}: Forbidden: Feature LoggingAlphaOptions is disabled`);
  }
  return problems;
}

type BufferSizes = Pick<UnusedFlags, 'log-json-info-buffer-size' | 'log-text-info-buffer-size'>;

/** Whether a quantity is not zero. */
function isSize(quantity: string): boolean {
  return compareQuantities(parseQuantity(quantity), parseQuantity('0')) !== 0;
}

/** Whether entries that are not errors go to standard output. */
export function splitsStreams({ loggingFormat, logTextSplitStream, logJsonSplitStream }: LogOptions): boolean {
  return loggingFormat === 'json' ? logJsonSplitStream : logTextSplitStream;
}

/** Invalid gates are reported elsewhere. */
function alphaOptions(gates: Readonly<Record<string, boolean>>): boolean {
  return gates['LoggingAlphaOptions'] ?? gates['AllAlpha'] ?? false;
}
