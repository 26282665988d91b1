import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, constructorParameterTypes } from '../../controller/class-metadata.js';
import { injectedTokens } from './injection.js';
import type { Token } from './token.js';

/** What a constructor parameter takes. */
export type Service = { readonly token: Token<unknown> } | { readonly type: AnyClass };

/** Types of which nothing is left at run time but their shape. */
const SHAPES: readonly unknown[] = [Object, String, Number, Boolean, Array, Promise, Symbol, BigInt];

/**
 * What each constructor parameter of a class takes. Throws CANNOT_INJECT, naming class and parameter, for what the container could
 * not know: an `import type`, an interface without `@Inject`, a class that was compiled without decorator metadata.
 */
export function servicesOf(target: AnyClass): readonly Service[] {
  const tokens = injectedTokens(target);
  const types = constructorParameterTypes(target);
  const count = Math.max(types?.length ?? 0, target.length);
  return Array.from({ length: count }, (_, at) => {
    const token = tokens.get(at);
    if (token !== undefined) return { token };
    if (types === undefined) {
      throw cannotInject(
        target,
        at,
        "has no type at run time: mark the class with @Injectable() or @Controller, and compile with 'emitDecoratorMetadata'",
      );
    }
    return { type: typeOf(target, at, types[at]) };
  });
}

function typeOf(target: AnyClass, at: number, type: unknown): AnyClass {
  if (type === undefined) {
    throw cannotInject(
      target,
      at,
      'is of a class that was not loaded yet: two modules import each other; move the class to a module of its own',
    );
  }
  if (type === Function) {
    throw cannotInject(target, at, "is of a class that is imported with 'import type': write 'import' without 'type'");
  }
  if (SHAPES.includes(type)) {
    throw cannotInject(
      target,
      at,
      "is an interface or a plain value: say what stands for it, as in '@Inject(DnsApi)' with a token",
    );
  }
  return type as AnyClass;
}
function cannotInject(target: AnyClass, at: number, message: string): KubewrightError {
  return new KubewrightError('CANNOT_INJECT', `parameter ${at} of the constructor of ${target.name} ${message}`);
}
