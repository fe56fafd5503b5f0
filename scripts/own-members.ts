// Requires that members are read as own members wherever a client may choose the name: `object[name]` also finds what
// every object inherits (`constructor`, `toString`, `__proto__`). Reads with a name that is any text go through
// `ownMember`, unless the same function takes the name from the object itself or checks it with `Object.hasOwn`.

import { join, relative } from 'node:path';
import {
  type BinaryExpression,
  type ElementAccessExpression,
  type ForInOrOfStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { API, TypeFlags } from 'typescript/unstable/sync';

/** The folders whose code reads what clients send. */
const FOLDERS = ['api', 'schema', 'resources', 'apply', 'patch', 'expressions', 'cel', 'verbs'];
/** Types of names that may be any text: those of the members of any object too. */
const ANY_TEXT = TypeFlags.String | TypeFlags.Conditional;
/** Where the reader itself is. */
const READER = join('src', 'api', 'own-member.ts');
/** Constants: tables without inherited members (`lookup`), and names that the server chose. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Places in the sources of a project that read inherited members, one line each. */
export function inheritedReads(root: string, project = join(root, 'tsconfig.json')): string[] {
  const api = new API({ cwd: root });
  try {
    const opened = api.updateSnapshot({ openProjects: [project] }).getProjects()[0];
    if (opened === undefined) throw new Error(`${project} is no project`);
    const { program, checker } = opened;
    const found: string[] = [];
    for (const path of program.getSourceFileNames()) {
      const file = relative(root, path);
      if (!isChecked(file)) continue;
      const source = program.getSourceFile(path) as SourceFile;
      const reads = candidates(source);
      const types = reads.length === 0 ? [] : checker.getTypeAtLocation(reads.map((read) => read.argumentExpression));
      for (const [index, read] of reads.entries()) {
        if (((types[index]?.flags ?? 0) & ANY_TEXT) === 0 || isGuarded(read, source)) continue;
        const start = skipSpace(source.text, read.pos);
        const line = source.text.slice(0, start).split('\n').length;
        found.push(`${file}:${line}: ${textOf(read, source)} may be inherited: read it with ownMember`);
      }
    }
    return found.sort();
  } finally {
    api.close();
  }
}

function isChecked(file: string): boolean {
  if (file === READER || file.endsWith('.test.ts') || file.endsWith('.d.ts')) return false;
  const [source, folder = ''] = file.split(/[\\/]/);
  return source === 'src' && FOLDERS.includes(folder);
}

/** Reads of a member by something other than a literal. */
function candidates(source: SourceFile): ElementAccessExpression[] {
  const found: ElementAccessExpression[] = [];
  const visit = (node: Node): undefined => {
    if (node.kind === SyntaxKind.ElementAccessExpression) {
      const access = node as ElementAccessExpression;
      const isConstant = [access.expression, access.argumentExpression].some((part) =>
        CONSTANT.test(textOf(part, source)),
      );
      if (!LITERALS.has(access.argumentExpression.kind) && !isConstant && !isWritten(access)) found.push(access);
    }
    node.forEachChild(visit);
    return undefined;
  };
  visit(source);
  return found;
}

const LITERALS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NumericLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
]);

function isWritten(access: ElementAccessExpression): boolean {
  const { parent } = access;
  if (parent.kind === SyntaxKind.DeleteExpression) return true;
  if (parent.kind !== SyntaxKind.BinaryExpression) return false;
  const { left, operatorToken } = parent as BinaryExpression;
  return left === access && operatorToken.kind === SyntaxKind.EqualsToken;
}

/** Whether a loop around the read takes the name from the object, or a function around it asks whether it is its own. */
function isGuarded(access: ElementAccessExpression, source: SourceFile): boolean {
  const object = escaped(textOf(access.expression, source));
  const name = escaped(textOf(access.argumentExpression, source));
  const own = `Object\\.(?:keys|entries)\\(${object}(?: as [^()]*)?\\)`;
  const asked = new RegExp(`Object\\.hasOwn\\(${object}, ${name}\\)`);
  const loop = new RegExp(`(?:const|let) \\[?${name}\\b.* (?:in ${object}$|of .*${own})`);
  const taken = new RegExp(`${own}[^;]*$`);
  const parameter = new RegExp(`^\\(?\\[?${name}\\b`);
  for (let node: Node = access; node.parent !== undefined; node = node.parent) {
    const { parent } = node;
    if (LOOPS.has(parent.kind)) {
      const { initializer, expression } = parent as ForInOrOfStatement;
      const word = parent.kind === SyntaxKind.ForInStatement ? 'in' : 'of';
      if (loop.test(`${textOf(initializer, source)} ${word} ${textOf(expression, source)}`)) return true;
    } else if (FUNCTIONS.has(node.kind)) {
      const text = textOf(node, source);
      if (asked.test(text)) return true;
      const isItem = node.kind === SyntaxKind.ArrowFunction && parameter.test(text);
      if (isItem && taken.test(source.text.slice(parent.pos, node.pos))) return true;
    }
  }
  return false;
}

const LOOPS: ReadonlySet<SyntaxKind> = new Set([SyntaxKind.ForInStatement, SyntaxKind.ForOfStatement]);

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.GetAccessor,
  SyntaxKind.Constructor,
]);

/** The text of a node, without casts and assertions around it. */
function textOf(node: Node, source: SourceFile): string {
  const text = source.text.slice(skipSpace(source.text, node.pos), node.end);
  return text.replace(/^\((.*) as [\w<>, ]+\)$/, '$1').replace(/!$/, '');
}

function skipSpace(text: string, from: number): number {
  return from + (/^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

if (import.meta.main) {
  const problems = inheritedReads(join(import.meta.dirname, '..'));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
