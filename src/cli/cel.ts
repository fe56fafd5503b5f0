// The command `keelson cel`: type-checks an expression, evaluates it for an object, and reports its costs.

import { parseArgs } from 'node:util';
import { stringifyJson } from '../api/json-writer.ts';
import type { Json } from '../api/object.ts';
import { parseYaml } from '../api/yaml-reader.ts';
import type { Examination } from '../expressions/examination.ts';
import { readText } from '../server/files.ts';
import type { CommandProcess } from './command-process.ts';
import { reportFailure, UsageError } from './failure.ts';

const usage = `Check and evaluate an expression as a rule of a custom resource (x-kubernetes-validations) would be.

Usage:
  keelson cel [flags] EXPRESSION

Flags:
  --schema FILE       A CustomResourceDefinition, or a schema as one has it: the type of self. Without it self is dynamic.
  --object FILE       The value of self. Without it the expression is only checked.
  --old-object FILE   The value of oldSelf.
  --stored            Allow what only expressions that are stored already may use.
  --kubernetes-version VERSION
                      The release of Kubernetes that judges, 1.24 to 1.37 (default 1.34): its functions and costs.
  --json              Print JSON.

Files are YAML or JSON.
`;

/** Runs the command; returns the exit status: 0 even if the expression is false, 1 if it has no value. */
export async function celCommand(argv: readonly string[], command: CommandProcess): Promise<number> {
  const { examineExpression, schemaIn } = await import('../expressions/examination.ts');
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: flags, allowPositionals: true });
    if (values.help === true) {
      command.out(usage);
      return 0;
    }
    const [expression, ...others] = positionals;
    if (expression === undefined || others.length > 0) throw new UsageError('name one expression');
    const schema = await readDocument(values.schema);
    const found = examineExpression({
      expression,
      schema: schema === undefined ? undefined : schemaIn(schema),
      object: await readDocument(values.object),
      oldObject: await readDocument(values['old-object']),
      stored: values.stored === true,
      kubernetesVersion: values['kubernetes-version'],
    });
    command.out(values.json === true ? `${stringifyJson(found)}\n` : textOf(found));
    return found.fault === undefined && found.error === undefined ? 0 : 1;
  } catch (error) {
    return reportFailure(error, 'cel', command);
  }
}

async function readDocument(path: string | undefined): Promise<Json | undefined> {
  if (path === undefined) return undefined;
  const text = readText(path);
  try {
    return (await parseYaml(text)).value;
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

const flags = {
  schema: { type: 'string' },
  object: { type: 'string' },
  'old-object': { type: 'string' },
  stored: { type: 'boolean' },
  'kubernetes-version': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function textOf({ fault, type, estimate, value, error, cost }: Examination): string {
  if (fault !== undefined) return `${fault}\n`;
  const lines = [
    value === undefined ? undefined : `value     ${stringifyJson(value)}`,
    error === undefined ? undefined : `error     ${error}`,
    `type      ${type}`,
    cost === undefined ? undefined : `cost      ${cost.spent} of ${cost.limit}`,
    estimate === undefined ? undefined : `estimate  at most ${estimate.most} of ${estimate.limit}`,
  ];
  return lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('');
}
