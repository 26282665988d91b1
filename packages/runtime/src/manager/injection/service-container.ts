import { createRequire } from 'node:module';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import { type AnyClass, constructorOwner, constructorParameterTypes } from '../../metadata/class-metadata.js';
import { type Service, servicesOf } from './constructor-services.js';
import { isInjectable } from './injection.js';
import { isToken, keyOfToken, type Token } from './token.js';

/** A class that the container can construct. */
export type Constructor<T = object> = new (...services: never[]) => T;
/** How the container gets a service: a value, a class to construct, or a function that creates the service. */
export type Provider<T> = { readonly value: T } | { readonly use: Constructor<T> } | { readonly make: () => T };
/** The key of a service: a token, a class, or a string or symbol for tsyringe's `@inject`. */
export type ServiceKey<T = unknown> = Token<T> | (abstract new (...services: never[]) => T) | string | symbol;

type Tsyringe = typeof import('tsyringe');

/** Constructs controllers and the services that constructors request, with tsyringe. */
export class ServiceContainer {
  readonly #tsyringe: Tsyringe;
  readonly #container: DependencyContainer;

  private constructor(tsyringe: Tsyringe, container: DependencyContainer) {
    this.#tsyringe = tsyringe;
    this.#container = container;
  }

  /**
   * Loads tsyringe and creates a child of the container of the program. Rejects with DUPLICATE_TSYRINGE if more than one copy of tsyringe
   * is loaded.
   *
   * @param parent the container of the program; by default the global container of tsyringe
   */
  static async create(parent?: DependencyContainer): Promise<ServiceContainer> {
    const { default: tsyringe } = await import('tsyringe');
    assertOneCopy();
    return new ServiceContainer(tsyringe, (parent ?? tsyringe.container).createChildContainer());
  }
  /** Creates a child container, which has its own registrations and instances and inherits the registrations of this container. */
  child(): ServiceContainer {
    return new ServiceContainer(this.#tsyringe, this.#container.createChildContainer());
  }

  /** Registers a service. The service is constructed at most once, at the first request. */
  provide<T>(key: ServiceKey<T>, provider: Provider<T>): void {
    const { instanceCachingFactory } = this.#tsyringe;
    const name = nameOf(key);
    if ('value' in provider) this.#container.register(name, { useValue: provider.value });
    else {
      const make = 'make' in provider ? provider.make : () => this.#construct(provider.use);
      this.#container.register(name, { useFactory: instanceCachingFactory(() => make()) });
    }
  }

  /**
   * Constructs an instance of the class and the services that its constructor requests. Throws CANNOT_INJECT and NOT_PROVIDED; the message
   * names the class, the parameter and the fix.
   */
  make<T extends object>(target: Constructor<T>): T {
    this.#prepare(target, []);
    return this.#resolve<T>(target);
  }
  /**
   * Prepares this container for children that construct the class. Checks the class, and constructs the services that all children use.
   * Throws the same errors as `make`.
   *
   * If a child constructed a shared service, the child would dispose of the service while other children still use it.
   */
  prepareForChildren(target: Constructor): void {
    this.#prepare(target, []);
    const child = this.#container.createChildContainer();
    for (const shared of this.#sharedBy(target, child, new Set())) this.#container.resolveAll(shared);
  }
  /** Constructs an instance of a class for which `prepareForChildren` of the parent was called. */
  makePrepared<T extends object>(target: Constructor<T>): T {
    return this.#resolve<T>(target);
  }
  /** Calls `dispose` on each object that this container constructed and that has this method. */
  async dispose(): Promise<void> {
    await this.#container.dispose();
  }

  /** Constructs an instance. Same as `make`, but also works if the class itself is registered as a token. */
  #construct<T>(target: Constructor<T>): T {
    this.#prepare(target, []);
    // A separate token is necessary, because the class may be registered with the factory that calls this method.
    const own = Symbol(target.name);
    this.#container.register(own, { useClass: target as unknown as new () => T });
    return this.#resolve<T>(own);
  }
  /**
   * Constructs an instance. Rethrows a KubewrightError unchanged, and converts any other error to CANNOT_INJECT. If tsyringe cannot resolve
   * a parameter, the message names the parameter. If a constructor throws, the message contains only the message of the thrown error.
   */
  #resolve<T>(target: AnyClass | symbol): T {
    try {
      return this.#container.resolve<T>(target as unknown as InjectionToken<T>);
    } catch (error) {
      if (error instanceof KubewrightError) throw error;
      const reason = messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
      throw new KubewrightError(
        'CANNOT_INJECT',
        `cannot construct ${typeof target === 'symbol' ? target.description : target.name}: ${reason}; register the missing service in the container of the manager, or call manager.provide(…) before start`,
        { cause: error },
      );
    }
  }

  /**
   * Registers a class, and the classes that its constructor requests, with tsyringe. Throws an error for a missing service before tsyringe
   * does, because the message is clearer.
   */
  #prepare(target: AnyClass, path: readonly AnyClass[]): void {
    if (path.includes(target)) {
      const circle = [...path, target].map(({ name }) => name).join(' → ');
      const remedy = "request one of them with '@inject(delay(() => …))'";
      throw new KubewrightError('CANNOT_INJECT', `circular dependency between services: ${circle}; ${remedy}`);
    }
    for (const service of servicesOf(target)) {
      const { key, isOptional } = service;
      if (isDelayed(key) || this.#container.isRegistered(key as InjectionToken, true)) continue;
      if (typeof key !== 'function') {
        if (!isOptional) throw notProvided(service);
      } else {
        if (!isMarked(key as AnyClass)) throw notProvided(service);
        this.#prepare(key as AnyClass, [...path, target]);
      }
    }
    // tsyringe finds the parameters of an inherited constructor only if the superclass was registered first.
    const { injectable } = this.#tsyringe;
    injectable()(constructorOwner(target) as Constructor<never>);
    injectable()(target as Constructor<never>);
  }
  /**
   * Returns the registered services that a class requests, directly or indirectly. Excludes services that each child constructs for itself.
   */
  #sharedBy(target: AnyClass, child: DependencyContainer, seen: Set<InjectionToken>): Set<InjectionToken> {
    for (const { key } of servicesOf(target)) {
      const token = key as InjectionToken;
      if (isDelayed(key) || seen.has(token)) continue;
      if (!child.isRegistered(token) && child.isRegistered(token, true)) seen.add(token);
      else if (typeof key === 'function' && isMarked(key as AnyClass)) this.#sharedBy(key as AnyClass, child, seen);
    }
    return seen;
  }
}

function nameOf<T>(key: ServiceKey<T>): InjectionToken<T> {
  return isToken(key) ? keyOfToken(key) : (key as unknown as InjectionToken<T>);
}
function isDelayed(key: unknown): boolean {
  return typeof key === 'object';
}
/**
 * Whether a class has a decorator of this container or of tsyringe. tsyringe stores decorated classes in an internal map. In a bundle, this
 * map is not accessible. In this case, returns true for a class without constructor parameters, and for a class whose parameter types the
 * compiler emitted.
 */
function isMarked(target: AnyClass): boolean {
  if (isInjectable(target)) return true;
  const known = tsyringeModules('dependency-container')[0]?.exports as { readonly typeInfo?: Map<unknown, unknown> };
  if (known?.typeInfo !== undefined) return known.typeInfo.has(target);
  return target.length === 0 || constructorParameterTypes(target) !== undefined;
}
function notProvided({ parameter, key }: Service): KubewrightError {
  const isClass = typeof key === 'function';
  const what = isClass ? key.name : typeof key === 'symbol' ? (key.description ?? String(key)) : `'${String(key)}'`;
  const fix = isClass
    ? 'or decorate a constructible class with @Injectable() or @injectable()'
    : 'or register it in the container that is passed to new Manager({ container })';
  return new KubewrightError(
    'NOT_PROVIDED',
    `${parameter} takes ${what}, which is not provided: call manager.provide(${what}, …) before start, ${fix}`,
  );
}

function assertOneCopy(): void {
  const loaded = tsyringeModules('index').map(({ filename }) => filename);
  if (loaded.length < 2) return;
  throw new KubewrightError(
    'DUPLICATE_TSYRINGE',
    `two copies of tsyringe are loaded, which do not share services: ${loaded.join(', ')}; keep one of them ('npm ls tsyringe' lists the packages that depend on it, 'npm dedupe' merges the copies)`,
  );
}
function tsyringeModules(name: string): readonly NodeJS.Module[] {
  const suffix = new RegExp(`[\\\\/]tsyringe[\\\\/]dist[\\\\/]cjs[\\\\/]${name}\\.js$`);
  const { cache } = createRequire(import.meta.url);
  return Object.entries(cache).flatMap(([file, module]) => (suffix.test(file) && module ? [module] : []));
}
