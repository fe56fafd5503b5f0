// Transcripts of recordings: shows a recorded scenario as a readable conversation, each request with kube-apiserver's
// response, because megabytes of JSON are unreadable. `npm run transcript -- crud/create-config-map` prints one
// scenario, `npm run transcript -- crud` lists those of an area, and without an argument it lists the areas.

import { type RequestSpec, readArea, recordedAreas, type Scenario, type Step } from '../test/conformance/scenario.ts';

/** Bodies are truncated after this many lines; the recording has them in full. */
const BODY_LINES = 40;

/** Formats the scenario: its title, then each step with the request and the response. */
export function transcript(scenario: Scenario): string {
  const steps = scenario.steps.map((step, index) => `${index + 1}. ${stepText(step)}`);
  const cleanup = (scenario.cleanup ?? []).map((request) => requestText(request));
  const after = cleanup.length === 0 ? [] : [`Afterwards\n${cleanup.join('\n')}`];
  return [`${scenario.id}: ${scenario.title}`, ...steps, ...after].join('\n\n');
}

/** Lists the scenarios of an area, one per line. */
export function areaText(area: string): string {
  return readArea(area)
    .scenarios.map(({ id, title }) => `${id}  ${title}`)
    .join('\n');
}

function stepText(step: Step): string {
  switch (step.do) {
    case 'watch':
      return `${requestText(step)}\n   (watch, called ${step.as})${answerText(step.expect)}`;
    case 'collect':
      return `events of ${step.from}, until ${JSON.stringify(step.until)}${answerText(step.expect)}`;
    case 'parallel':
      return `at once:\n${step.requests.map((request) => `   ${requestText(request)}`).join('\n')}${answerText(step.expect)}`;
    case 'close':
      return `the client ends ${step.from}`;
    case 'sleep':
      return `${step.ms} ms pass`;
    case 'poll':
      return `${requestText(step)}\n   (again and again, until ${JSON.stringify(step.until)})${answerText(step.expect)}`;
    default:
      return `${requestText(step)}${answerText(step.expect)}`;
  }
}

function requestText(request: RequestSpec): string {
  const query = Object.entries(request.query ?? {}).map(([name, value]) =>
    value === null ? name : `${name}=${value}`,
  );
  const path = query.length === 0 ? request.path : `${request.path}?${query.join('&')}`;
  const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `   ${name}: ${value ?? '(not sent)'}`);
  const who = request.anonymous === true ? ['   (anonymous)'] : [];
  const body = request.protobufBody ?? request.body;
  return [`${request.method ?? 'GET'} ${path}`, ...who, ...headers, ...indented(body, '   > ')].join('\n');
}

function answerText(expected: Readonly<Record<string, unknown>> | undefined): string {
  if (expected === undefined) return '';
  const { status, headers, body, ...rest } = expected;
  const lines = Object.entries((headers ?? {}) as Record<string, unknown>).map(
    ([name, value]) => `   ${name}: ${value}`,
  );
  const more = Object.keys(rest).length === 0 ? [] : indented(rest, '   < ');
  return ['', `   answer ${status ?? ''}`.trimEnd(), ...lines, ...indented(body, '   < '), ...more].join('\n');
}

function indented(value: unknown, prefix: string): string[] {
  if (value === undefined) return [];
  const lines = (typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)).split('\n');
  const shown = lines.slice(0, BODY_LINES).map((line) => `${prefix}${line}`);
  return lines.length > BODY_LINES ? [...shown, `${prefix}… ${lines.length - BODY_LINES} more lines`] : shown;
}

/** Returns the command's output for its argument. @throws Error if there is no such recording */
export function transcriptOf(name: string | undefined): string {
  if (name === undefined) return recordedAreas().join('\n');
  const [area = ''] = name.split('/');
  if (!recordedAreas().includes(area))
    throw new Error(`no area is called ${area}; there are ${recordedAreas().join(', ')}`);
  if (!name.includes('/')) return areaText(area);
  const found = readArea(area).scenarios.find(({ id }) => id === name);
  if (found === undefined)
    throw new Error(`${name} has not been recorded; 'npm run transcript -- ${area}' lists what has`);
  return transcript(found);
}

if (import.meta.main) {
  try {
    process.stdout.write(`${transcriptOf(process.argv[2])}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
