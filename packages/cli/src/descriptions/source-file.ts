import { type Class, type Comment, type Decorator, parseSync, type PropertyDefinition, Visitor } from 'oxc-parser';
import { proseOf } from './doc-comment.js';

/** The path and the text of a source file. */
export interface SourceText {
  /** The path, either absolute or relative to the project, with `/` between folders. */
  readonly path: string;
  readonly text: string;
}

/** The declaration of a class in a source. */
export interface SourceClass {
  readonly name: string;
  readonly description: string | undefined;
  /** The descriptions by field name. Excludes inherited, static, private, protected, and `declare` fields, and fields with a function. */
  readonly fields: ReadonlyMap<string, string | undefined>;
}

/** The classes and imports of a source file. */
export interface SourceFile {
  readonly path: string;
  readonly classes: readonly SourceClass[];
  /** The module specifiers of all imports and re-exports. */
  readonly imports: readonly string[];
}

/** Parses a source file. Returns no declarations for invalid TypeScript, because the compiler reports the errors. */
export function readSource({ path, text }: SourceText): SourceFile {
  const { program, comments, module } = parseSync(path, text);
  const documented = comments.filter(isDocumentation);
  const classes: SourceClass[] = [];
  const visit = (node: Class): void => {
    const { id } = node;
    if (id === null) return;
    const description = describedBy({ node, name: id.start, decorators: node.decorators }, { text, documented });
    classes.push({ name: id.name, description, fields: fieldsOf(node, { text, documented }) });
  };
  new Visitor({ ClassDeclaration: visit, ClassExpression: visit }).visit(program);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  return { path, classes, imports: [...new Set(requests)] };
}

function isDocumentation({ type, value }: Comment): boolean {
  return type === 'Block' && value.startsWith('*') && !/^\s*\*?\s*@(?:packageDocumentation|file|module)\b/m.test(value);
}

interface Commented {
  readonly text: string;
  readonly documented: readonly Comment[];
}

interface Declared {
  readonly node: { readonly start: number };
  /** The offset of the name in the source. */
  readonly name: number;
  readonly decorators: readonly Decorator[];
}

function fieldsOf({ body }: Class, commented: Commented): ReadonlyMap<string, string | undefined> {
  const fields = body.body.flatMap((member) => {
    if (member.type !== 'PropertyDefinition' || member.static || member.computed || !isData(member)) return [];
    const name = nameOf(member);
    if (name === undefined) return [];
    const declared = { node: member, name: member.key.start, decorators: member.decorators };
    return [[name, describedBy(declared, commented)] as const];
  });
  return new Map(fields);
}

function isData({ declare, accessibility, value }: PropertyDefinition): boolean {
  const isFunction = value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression';
  return !isFunction && declare !== true && accessibility !== 'private' && accessibility !== 'protected';
}

function nameOf({ key }: PropertyDefinition): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** Returns the description in the last doc comment before the name. The comment can precede or follow the decorators. */
function describedBy(declared: Declared, { text, documented }: Commented): string | undefined {
  const { node, name, decorators } = declared;
  const start = decorators.reduce((first, decorator) => Math.min(first, decorator.start), node.start);
  const found = documented.findLast((comment) => {
    if (comment.start > name) return false;
    if (comment.start > start) return !decorators.some((each) => each.start < comment.start && comment.end < each.end);
    return leadsTo(text, { from: comment, to: start });
  });
  return found === undefined ? undefined : proseOf(found.value.slice(1));
}

/**
 * Reports whether a comment describes the declaration at position `to`: only keywords such as `export` and other comments are in between.
 * If the comment ends on an earlier line than the declaration starts, no other code may precede the comment on the first line of the
 * comment.
 */
function leadsTo(text: string, { from, to }: { readonly from: Comment; readonly to: number }): boolean {
  const between = text.slice(from.end, to);
  if (!/^(?:\s|export\b|default\b|abstract\b|declare\b|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*\n)*$/.test(between))
    return false;
  const line = text.slice(text.lastIndexOf('\n', from.start) + 1, from.start);
  return line.trim() === '' || !between.includes('\n');
}
