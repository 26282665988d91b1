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

/**
 * A class with `@Kind`. `group` and `version` are undefined if the options of `@Kind` do not contain a string literal for them. If the
 * options do not contain a string literal for `kind`, `kind` is the class name.
 */
export interface KindDeclaration {
  readonly module: SourceModule;
  readonly className: string;
  readonly kind: string;
  readonly group: string | undefined;
  readonly version: string | undefined;
  readonly isExternal: boolean;
  readonly isStored: boolean;
  /** The argument of `@Kind`, if it is an object literal. */
  readonly options: ObjectExpression | undefined;
}

/** A class to which an option of a decorator refers, and the origin of the class: a package, or the path of a source. */
export interface ReferredClass {
  readonly className: string;
  readonly from: string;
}

/** A class with `@Controller`. */
export interface ControllerDeclaration {
  readonly module: SourceModule;
  readonly className: string;
  /** The class in the option `for`. Undefined if the value of the option is not a name. */
  readonly for?: ReferredClass;
}

/** A decorator of the classes that `kubewright add webhook` writes. */
export type WebhookDecorator = 'Defaulter' | 'Validator' | 'Converter';

/** A class with a decorator for webhooks. */
export interface WebhookDeclaration {
  readonly module: SourceModule;
  readonly className: string;
  readonly decorator: WebhookDecorator;
  /** The class in the option `for`, or in the option `from` of a converter. Undefined if the value of the option is not a name. */
  readonly for?: ReferredClass;
}

const WEBHOOK_DECORATORS: readonly WebhookDecorator[] = ['Defaulter', 'Validator', 'Converter'];

/** Returns the kinds that a source declares. */
export function kindsIn(module: SourceModule): readonly KindDeclaration[] {
  return decorated(module, 'Kind').map(({ className, options }) => {
    const optionOf = (name: string): string | undefined => textOf(propertyOf(options, name)?.value);
    return {
      module,
      className,
      kind: optionOf('kind') ?? className,
      group: optionOf('group'),
      version: optionOf('version'),
      isExternal: isTrue(propertyOf(options, 'external')),
      isStored: isTrue(propertyOf(options, 'storage')),
      options,
    };
  });
}

/** Returns the controllers that a source declares. */
export function controllersIn(module: SourceModule): readonly ControllerDeclaration[] {
  return decorated(module, 'Controller').map(({ className, options }) => ({
    module,
    className,
    ...referred(module, options, 'for'),
  }));
}

/** Returns the defaulters, validators and converters that a source declares. */
export function webhooksIn(module: SourceModule): readonly WebhookDeclaration[] {
  return WEBHOOK_DECORATORS.flatMap((decorator) =>
    decorated(module, decorator).map(({ className, options }) => ({
      module,
      className,
      decorator,
      ...referred(module, options, decorator === 'Converter' ? 'from' : 'for'),
    })),
  );
}

/** Returns the class that an option names. The result is empty if the value of the option is not a name. */
function referred(
  module: SourceModule,
  options: ObjectExpression | undefined,
  option: 'for' | 'from',
): { readonly for?: ReferredClass } {
  const value = propertyOf(options, option)?.value;
  return value?.type === 'Identifier' ? { for: originOf(module, value.name) } : {};
}

/** Returns the property of an object literal; undefined if there is none. */
export function propertyOf(object: ObjectExpression | undefined, name: string): ObjectProperty | undefined {
  for (const property of object?.properties ?? []) {
    if (property.type !== 'Property' || property.computed) continue;
    const { key } = property;
    if ((key.type === 'Identifier' && key.name === name) || (key.type === 'Literal' && key.value === name))
      return property;
  }
  return undefined;
}

/** Returns the classes of a source that have the decorator, each with the first argument of the decorator if this is an object literal. */
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

/** Returns the exported name and the origin of an imported name. The origin of any other name is the source itself. */
function originOf(module: SourceModule, local: string): ReferredClass {
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

/** Returns the path of the source to which a relative specifier refers. Returns the specifier of a package unchanged. */
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
