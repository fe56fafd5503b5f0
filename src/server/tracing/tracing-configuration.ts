// TracingConfiguration of apiserver.config.k8s.io: the endpoint and the sampling rate, with kube-apiserver's errors.

import { type FieldError, fieldError } from '../../api/errors.ts';
import { parseUrl } from '../../cel/library/url.ts';
import { fieldErrorsText } from '../access/field-errors-text.ts';
import { type ConfigurationKind, decodeConfiguration, OtherKindError } from '../configuration-file.ts';
import { readText } from '../files.ts';

export interface TracingConfiguration {
  /** `localhost:4317`, or with a scheme: `dns:///host:port`, `unix:///path`. */
  readonly endpoint: string;
  /** For requests without a trace context of their own. */
  readonly samplingRatePerMillion: number;
}

const KIND: ConfigurationKind = {
  kind: 'TracingConfiguration',
  versions: ['v1', 'v1beta1', 'v1alpha1'],
  fields: { endpoint: 'string', samplingRatePerMillion: 'int32' },
  isTypeOptional: true,
};
const DEFAULT_ENDPOINT = 'localhost:4317';
const MILLION = 1_000_000;
const SCHEMES: readonly string[] = ['dns', 'unix', 'unix-abstract'];

/** @throws Error with kube-apiserver's message */
export async function readTracingConfiguration(path: string): Promise<TracingConfiguration> {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    const why = `unable to read tracing configuration from ${JSON.stringify(path)}: ${(error as Error).message}`;
    throw new Error(`failed to read tracing config: ${why}`);
  }
  const configuration = await decode(text);
  const found = problems(configuration);
  if (found.length > 0) throw new Error(`failed to validate tracing configuration: ${fieldErrorsText(found)}`);
  const { endpoint = DEFAULT_ENDPOINT, samplingRatePerMillion = 0 } = configuration;
  if (endpoint.startsWith('unix-abstract:')) {
    throw new Error('failed to validate tracing configuration: sockets without a file cannot be reached');
  }
  // Without a host, the endpoint is on this machine.
  const at = endpoint === '' ? DEFAULT_ENDPOINT : endpoint.startsWith(':') ? `localhost${endpoint}` : endpoint;
  return { endpoint: at, samplingRatePerMillion };
}

async function decode(text: string): Promise<Partial<TracingConfiguration>> {
  try {
    return (await decodeConfiguration(text, KIND)) as Partial<TracingConfiguration>;
  } catch (error) {
    const why =
      error instanceof OtherKindError
        ? `converting (v1.${error.kind}) to (apiserver.${KIND.kind}): unknown conversion`
        : (error as Error).message;
    throw new Error(`failed to read tracing config: unable to decode tracing configuration data: ${why}`);
  }
}

function problems({ endpoint, samplingRatePerMillion: rate = 0 }: Partial<TracingConfiguration>): FieldError[] {
  const found: FieldError[] = [];
  const bad = (why: string) => found.push(fieldError.invalid('samplingRatePerMillion', rate, why));
  if (rate < 0) bad('sampling rate must be positive');
  if (rate > MILLION) bad('sampling rate per million must be less than or equal to one million');
  if (endpoint === undefined) return found;
  const target = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  const url = parseUrl(target);
  if (typeof url === 'string') found.push(fieldError.invalid('endpoint', target, url));
  else if (!SCHEMES.includes(url.scheme)) {
    const where = 'See https://github.com/grpc/grpc/blob/master/doc/naming.md';
    const why = `unsupported scheme: ${url.scheme}.  Options are none, dns, unix, or unix-abstract.  ${where}`;
    found.push(fieldError.invalid('endpoint', target, why));
  }
  return found;
}
