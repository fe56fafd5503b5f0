// Go templates: parsed once, rendered for many objects. With the functions of Go itself, the common ones of sprig, and
// those that whoever renders them provides.

import type { Json } from '../../../api/object.ts';
import { BUILTIN_FUNCTIONS } from './builtin-functions.ts';
import { Execution } from './execution.ts';
import type { FunctionNeeds, TemplateFunction } from './function.ts';
import { parseTemplate } from './parser.ts';
import { SPRIG_FUNCTIONS } from './sprig-functions.ts';
import { valueFrom } from './values.ts';

export type { TemplateFunction } from './function.ts';

type Functions = Readonly<Record<string, TemplateFunction>>;

interface RenderNeeds extends FunctionNeeds {
  /** Functions with the names with which the template was compiled. */
  readonly functions: Functions;
}

export interface Template {
  /** The text for data, which are not modified. @throws TemplateError; BudgetError if it takes too many steps */
  render(data: Json, needs: RenderNeeds): string;
}

/** @param names of functions that are provided when it is rendered @throws TemplateSyntaxError */
export function compileTemplate(source: string, names: ReadonlySet<string>): Template {
  const parsed = parseTemplate(source.trim(), (name) => names.has(name) || ownFunction(name) !== undefined);
  return {
    render(data, needs) {
      const functionOf = (name: string) => (names.has(name) ? needs.functions[name] : ownFunction(name));
      return new Execution(parsed, { ...needs, functionOf }).run(valueFrom(data, needs.budget));
    },
  };
}

function ownFunction(name: string): TemplateFunction | undefined {
  const functions = [BUILTIN_FUNCTIONS, SPRIG_FUNCTIONS].find((each) => Object.hasOwn(each, name));
  return functions?.[name];
}
