import {
  type Class,
  type Expression,
  type Function as Method,
  type IdentifierReference,
  parseSync,
  type Program,
  Visitor,
} from 'oxc-parser';
import type { SourceText } from '../../descriptions/source-file.js';
import { TRUE } from './condition.js';
import { ExpressionTranslation } from './expression-translation.js';
import { NotTranslatable } from './not-translatable.js';
import type { Translated } from './translated.js';

/** A class with `@Validator`, or with `@Admission` and without the method `mutate`. */
export interface ValidatorClass {
  readonly name: string;
  /** The path of the source, relative to the project. */
  readonly path: string;
  readonly decorator: 'Validator' | 'Admission';
  readonly method: Method;
  /** Translates expressions of the method with the constants of the module. */
  readonly translation: ExpressionTranslation;
}

/** The members of a constant list that do not change the list. */
const READS = ['includes', 'has', 'length'];

/** Returns the validators in a source. Returns an empty list for a source that cannot be parsed. */
export function validatorsIn({ path, text }: SourceText): readonly ValidatorClass[] {
  if (!/@(?:Validator|Admission)\b/.test(text)) return [];
  const { program, module, errors } = parseSync(path, text, { preserveParens: false });
  if (errors.length > 0) return [];
  const imported = new Set(
    module.staticImports
      .filter(({ moduleRequest }) => moduleRequest.value === '@kubewright/api')
      .flatMap(({ entries }) => entries.filter(({ importName, localName }) => importName.name === localName.value))
      .map(({ localName }) => localName.value),
  );
  const translation = new ExpressionTranslation(constantsOf(program));
  const found: ValidatorClass[] = [];
  const visit = (node: Class): void => {
    const decorator = decoratorOf(node, imported);
    const method = methodOf(node);
    if (node.id === null || decorator === undefined || method === undefined) return;
    found.push({ name: node.id.name, path, decorator, method, translation });
  };
  new Visitor({ ClassDeclaration: visit }).visit(program);
  return found;
}

/**
 * Returns the webhook decorator of a class. Returns undefined for a class with several such decorators, because its method handles several
 * types of requests.
 */
function decoratorOf({ decorators }: Class, imported: ReadonlySet<string>): ValidatorClass['decorator'] | undefined {
  const names = decorators.map(({ expression }) =>
    expression.type === 'CallExpression' && expression.callee.type === 'Identifier' ? expression.callee.name : '',
  );
  const [only, second] = names.filter((name) => imported.has(name) && /^(?:Validator|Admission|Defaulter)$/.test(name));
  return (only === 'Validator' || only === 'Admission') && second === undefined ? only : undefined;
}

/**
 * Returns the method `validate` of a class. Returns undefined if the class does not have exactly one such method, or if the method has a
 * decorator. Also returns undefined if the class has a method `mutate` or a base class, which can change the behavior of the webhook.
 */
function methodOf({ body, superClass }: Class): Method | undefined {
  if (superClass !== null) return undefined;
  const methods = body.body.flatMap((member) => {
    if (member.type !== 'MethodDefinition' || member.computed || member.static || member.key.type !== 'Identifier')
      return [];
    return [{ name: member.key.name, member }];
  });
  if (methods.some(({ name }) => name === 'mutate')) return undefined;
  const [only, second] = methods.filter(({ name }) => name === 'validate');
  if (only === undefined || second !== undefined || only.member.decorators.length > 0) return undefined;
  return only.member.value;
}

/** Returns the constants at the top level of a module. Excludes lists that the module could change. */
function constantsOf(program: Program): (name: string) => Translated | undefined {
  const declared = new Map<string, Expression>();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type === 'Identifier' && init !== null) declared.set(id.name, init);
    }
  }
  const changed = changedNames(program);
  const constants = (name: string): Translated | undefined => {
    const init = declared.get(name);
    if (init === undefined) return undefined;
    // The recursion ends, because a constant can only refer to earlier constants.
    const found = new ExpressionTranslation(constants).translate(init, { scope: new Map(), path: TRUE });
    const isList = found.kind === 'constants';
    if (isList && changed.has(name) && !isReadonly(init)) throw new NotTranslatable('a list that can change');
    return found;
  };
  return constants;
}

function isReadonly(init: Expression): boolean {
  if (init.type !== 'TSAsExpression' || init.typeAnnotation.type !== 'TSTypeReference') return false;
  const { typeName } = init.typeAnnotation;
  return typeName.type === 'Identifier' && typeName.name === 'const';
}

/** Returns the names of values that can change: exported values, and values that the module uses in ways other than those in `READS`. */
function changedNames(program: Program): ReadonlySet<string> {
  const reads = new Set<number>();
  const exported = new Set<string>();
  const references: IdentifierReference[] = [];
  new Visitor({
    MemberExpression: ({ object, computed, property }) => {
      const isRead = !computed && property.type === 'Identifier' && READS.includes(property.name);
      if (object.type === 'Identifier' && isRead) reads.add(object.start);
    },
    Identifier: (node) => references.push(node as IdentifierReference),
    VariableDeclarator: ({ id }) => reads.add(id.start),
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type !== 'VariableDeclaration') return;
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') exported.add(id.name);
    },
  }).visit(program);
  return new Set([...exported, ...references.filter(({ start }) => !reads.has(start)).map(({ name }) => name)]);
}
