// Syntax of Go templates as a tree.

export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipeline: Pipeline }
  | ({ readonly type: 'if' | 'with' } & Branches)
  | ({ readonly type: 'range' } & Branches)
  | { readonly type: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined }
  | { readonly type: 'break' | 'continue' };

interface Branches {
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

export interface Pipeline {
  /** The variables that it sets; two only in `range`. */
  readonly variables: readonly string[];
  /** Whether they are declared, by `:=`, rather than assigned. */
  readonly declares: boolean;
  readonly commands: readonly Command[];
}

/** A function with its arguments, or a single operand. */
export type Command =
  | { readonly type: 'call'; readonly name: string; readonly given: readonly Operand[] }
  | { readonly type: 'operand'; readonly operand: Operand };

export interface Operand {
  readonly base:
    | { readonly type: 'dot' }
    | { readonly type: 'nil' }
    | { readonly type: 'literal'; readonly value: string | number | boolean }
    | { readonly type: 'variable'; readonly name: string }
    | { readonly type: 'call'; readonly name: string }
    | { readonly type: 'pipeline'; readonly pipeline: Pipeline };
  /** The path that follows: `.a.b` */
  readonly fields: readonly string[];
}

/** A template and those that it defines. */
export interface ParsedTemplate {
  readonly main: readonly TemplateNode[];
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}
