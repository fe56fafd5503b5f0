// Options of the log: its format and streams.

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
): string[] {
  const { loggingFormat } = options;
  const problems: string[] = [];
  if (loggingFormat !== 'text' && loggingFormat !== 'json') {
    problems.push(`format: Invalid value: ${JSON.stringify(loggingFormat)}: Unsupported log format`);
  }
  if (options.vmodule !== '' && loggingFormat !== 'text') {
    problems.push('vmodule: Forbidden: Only supported for text log format');
  }
  const splits: [format: string, isSplit: boolean][] = [
    ['text', options.logTextSplitStream],
    ['json', options.logJsonSplitStream],
  ];
  for (const [format, isSplit] of splits) {
    if (!isSplit || alphaOptions(options.featureGates)) continue;
    problems.push(`options.${format}.splitStream: Forbidden: Feature LoggingAlphaOptions is disabled`);
  }
  return problems;
}

/** Whether entries that are not errors go to standard output. */
export function splitsStreams({ loggingFormat, logTextSplitStream, logJsonSplitStream }: LogOptions): boolean {
  return loggingFormat === 'json' ? logJsonSplitStream : logTextSplitStream;
}

/** Invalid gates are reported elsewhere. */
function alphaOptions(gates: Readonly<Record<string, boolean>>): boolean {
  return gates['LoggingAlphaOptions'] ?? gates['AllAlpha'] ?? false;
}
