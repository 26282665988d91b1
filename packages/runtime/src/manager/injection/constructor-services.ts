import { KubewrightError } from '@kubewright/api/errors';
import { type AnyClass, constructorOwner, constructorParameterTypes } from '../../metadata/class-metadata.js';
import { type InjectedParameter, injectedParameters } from './injection.js';

/** The service that a constructor parameter requests. */
export interface Service {
  /** A description of the parameter for error messages, such as "parameter 1 ('dns') of the constructor of Zones". */
  readonly parameter: string;
  /** The key of the service: a string, a symbol, a class, or a class that tsyringe's `delay` resolves later. */
  readonly key: unknown;
  /** Whether the constructor accepts undefined if the service is missing. */
  readonly isOptional: boolean;
}

/** The types that the compiler emits for interfaces and plain values. They do not identify a service. */
const SHAPES: readonly unknown[] = [Object, String, Number, Boolean, Array, Promise, Symbol, BigInt];

/**
 * Returns the service of each constructor parameter of a class. A class without a constructor uses the parameters of its superclass. Throws
 * CANNOT_INJECT if the service cannot be determined; the message names the class and the parameter. Reasons are an `import type`, a
 * circular import, an interface or a plain value without `@Inject`, and a class that was compiled without decorator metadata.
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

/**
 * Returns a description of a parameter. Omits the name if it cannot be found in the source code, for example because a parameter has a
 * default value.
 */
function describedParameter(owner: AnyClass, at: number): string {
  const list = /\bconstructor\s*\(([\w$,\s]*)\)/.exec(owner.toString())?.[1];
  const name = list?.split(',')[at]?.trim();
  return `parameter ${at}${name ? ` ('${name}')` : ''} of the constructor of ${owner.name}`;
}
function cannotInject(parameter: string, message: string): KubewrightError {
  return new KubewrightError('CANNOT_INJECT', `${parameter} ${message}`);
}
