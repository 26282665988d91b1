import { posix } from 'node:path';
import {
  type Class,
  type Decorator,
  type Expression,
  type ObjectExpression,
  type ObjectProperty,
  Visitor,
} from 'oxc-parser';
import { importsOf } from './add-import.js';
import type { Span } from './line-place.js';
import type { SourceModule } from './source-module.js';

/** A class with `@Kind`. What is not written as a text is undefined. */
export interface KindDeclaration {
  readonly module: SourceModule;
  readonly className: string;
  readonly kind: string;
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly isExternal: boolean;
  readonly isStored: boolean;
  /** What `@Kind` was given, if it is written as an object. */
  readonly options: ObjectExpression | undefined;
}

/** A class with `@Controller`. */
export interface ControllerDeclaration {
  readonly module: SourceModule;
  readonly className: string;
  /** The kind that it is for, as its class is called and where that comes from: a package, or the path of a source. */
  readonly for?: { readonly className: string; readonly from: string };
}

/** The kinds that a source declares. */
export function kindsIn(module: SourceModule): readonly KindDeclaration[] {
  return decorated(module, 'Kind').map(({ className, options }) => {
    const said = (name: string): string | undefined => textOf(propertyOf(options, name)?.value);
    return {
      module,
      className,
      kind: said('kind') ?? className,
      group: said('group'),
      version: said('version'),
      isExternal: isTrue(propertyOf(options, 'external')),
      isStored: isTrue(propertyOf(options, 'storage')),
      options,
    };
  });
}

/** The controllers that a source declares. */
export function controllersIn(module: SourceModule): readonly ControllerDeclaration[] {
  return decorated(module, 'Controller').map(({ className, options }) => {
    const reconciled = propertyOf(options, 'for')?.value;
    if (reconciled?.type !== 'Identifier') return { module, className };
    const kind = originOf(module, reconciled.name);
    return { module, className, ...(kind !== undefined && { for: kind }) };
  });
}

/** The property of an object that is written out. */
export function propertyOf(object: ObjectExpression | undefined, name: string): ObjectProperty | undefined {
  for (const property of object?.properties ?? []) {
    if (property.type !== 'Property' || property.computed) continue;
    const { key } = property;
    if ((key.type === 'Identifier' && key.name === name) || (key.type === 'Literal' && key.value === name))
      return property;
  }
  return undefined;
}

/** The classes of a source with a decorator of ours, and the object that it was given. */
function decorated(
  module: SourceModule,
  decorator: string,
): readonly { readonly className: string; readonly options: ObjectExpression | undefined }[] {
  const found: { className: string; options: ObjectExpression | undefined }[] = [];
  const visit = ({ id, decorators }: Class): void => {
    const call = decorators.map(({ expression }: Decorator) => expression).find((each) => isCallOf(each, decorator));
    if (id === null || call?.type !== 'CallExpression') return;
    const [options] = call.arguments;
    found.push({ className: id.name, options: options?.type === 'ObjectExpression' ? options : undefined });
  };
  new Visitor({ ClassDeclaration: visit }).visit(module.program);
  return found;
}

function isCallOf(expression: Expression, name: string): boolean {
  if (expression.type !== 'CallExpression') return false;
  const { callee } = expression;
  if (callee.type === 'Identifier') return callee.name === name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === name;
}

/** Where a name of a source comes from. */
function originOf(module: SourceModule, local: string): ControllerDeclaration['for'] {
  for (const { source, specifiers } of importsOf(module)) {
    for (const specifier of specifiers) {
      if (specifier.local.name !== local || specifier.type !== 'ImportSpecifier') continue;
      const { imported } = specifier;
      const className = imported.type === 'Identifier' ? imported.name : imported.value;
      return { className, from: resolved(module.path, source.value) };
    }
  }
  return { className: local, from: module.path };
}

/** The path of the source that a module of the project means; a package as it is. */
export function resolved(importing: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(importing), specifier).replace(/\.([cm]?)js$/, '.$1ts');
}

function textOf(expression: (Expression & Span) | undefined): string | undefined {
  if (expression?.type === 'Literal' && typeof expression.value === 'string') return expression.value;
  if (expression?.type === 'TemplateLiteral' && expression.expressions.length === 0) {
    return expression.quasis[0]?.value.cooked ?? undefined;
  }
  return undefined;
}

function isTrue(property: ObjectProperty | undefined): boolean {
  return property?.value.type === 'Literal' && property.value.value === true;
}
