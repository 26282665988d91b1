import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, constructorOwner, constructorParameterTypes } from '../../metadata/class-metadata.js';
import { type InjectedParameter, injectedParameters } from './injection.js';

/** The service that a constructor parameter requests. */
export interface Service {
  /** A description of the parameter for error messages: "parameter 1 ('dns') of the constructor of Zones". */
  readonly parameter: string;
  /** A string, a symbol, a class, or a class that tsyringe's `delay` resolves later. */
  readonly key: unknown;
  /** Whether a missing service is not an error. */
  readonly isOptional: boolean;
}

/** Types that the compiler emits for interfaces and plain values. */
const SHAPES: readonly unknown[] = [Object, String, Number, Boolean, Array, Promise, Symbol, BigInt];

/**
 * Returns the service of each constructor parameter of a class. A class without a constructor uses the parameters of its superclass. Throws
 * CANNOT_INJECT, naming the class and the parameter, if the container cannot determine the service: an `import type`, an interface without
 * `@Inject`, a class that was compiled without decorator metadata.
 */
export function servicesOf(target: AnyClass): readonly Service[] {
  const owner = constructorOwner(target);
  const injected = injectedParameters(owner);
  const types = constructorParameterTypes(owner);
  const count = Math.max(types?.length ?? 0, owner.length);
  return Array.from({ length: count }, (_, at) => {
    const parameter = describedParameter(owner, at);
    const entry = injected[at];
    if (entry !== undefined) return serviceOf(parameter, entry);
    if (types === undefined) {
      throw cannotInject(
        parameter,
        "has no type at run time: decorate the class with @Injectable() or @Controller, and compile with 'emitDecoratorMetadata'",
      );
    }
    return { parameter, key: typeOf(parameter, types[at]), isOptional: false };
  });
}

function serviceOf(parameter: string, { token, multiple, isOptional }: InjectedParameter): Service {
  if (token === undefined) {
    const list = multiple === true ? 'injectAll' : 'inject';
    throw cannotInject(
      parameter,
      `takes a class that is not loaded yet because of a circular import: use '@${list}(delay(() => …))', or move the class to its own module`,
    );
  }
  return { parameter, key: token, isOptional: isOptional === true };
}

function typeOf(parameter: string, type: unknown): AnyClass {
  if (type === undefined) {
    throw cannotInject(
      parameter,
      "takes a class that is not loaded yet because of a circular import: move the class to its own module, or use '@inject(delay(() => …))'",
    );
  }
  if (type === Function) {
    throw cannotInject(parameter, "takes a class that is imported with 'import type': use 'import' without 'type'");
  }
  if (SHAPES.includes(type)) {
    throw cannotInject(
      parameter,
      "is an interface or a plain value: specify a token, as in '@Inject(DnsApi)', or use the '@inject' of tsyringe",
    );
  }
  return type as AnyClass;
}

/** Returns a description of a parameter. A default value in the parameter list hides the names; the index is always available. */
function describedParameter(owner: AnyClass, at: number): string {
  const list = /\bconstructor\s*\(([\w$,\s]*)\)/.exec(owner.toString())?.[1];
  const name = list?.split(',')[at]?.trim();
  return `parameter ${at}${name ? ` ('${name}')` : ''} of the constructor of ${owner.name}`;
}
function cannotInject(parameter: string, message: string): KubewrightError {
  return new KubewrightError('CANNOT_INJECT', `${parameter} ${message}`);
}
