// Options of the log: its form, and which stream its entries go to.

export interface LogOptions {
  /** How much is logged: 0 is what an operator needs, more is for those who look for a fault. */
  readonly verbosity: number;
  /** More for files whose names fit, as `http*=4,listener=5`; '' for none. */
  readonly vmodule: string;
  /** `text`, or `json` for an object a line. */
  readonly loggingFormat: string;
  /** Whether errors alone go to standard error, and the rest to standard output; needs the gate LoggingAlphaOptions. */
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

/** What is wrong, in kube-apiserver's words. */
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

/** Whether an entry that is not an error goes to standard output. */
export function splitsStreams({ loggingFormat, logTextSplitStream, logJsonSplitStream }: LogOptions): boolean {
  return loggingFormat === 'json' ? logJsonSplitStream : logTextSplitStream;
}

/** Gates that make no sense are told of elsewhere. */
function alphaOptions(gates: Readonly<Record<string, boolean>>): boolean {
  return gates['LoggingAlphaOptions'] ?? gates['AllAlpha'] ?? false;
}
