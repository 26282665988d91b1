import { createRequire } from 'node:module';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import { type AnyClass, constructorOwner, constructorParameterTypes } from '../../controller/class-metadata.js';
import { type Service, servicesOf } from './constructor-services.js';
import { isInjectable } from './injection.js';
import { isToken, keyOfToken, type Token } from './token.js';

/** A class that the container can construct. */
export type Constructor<T = object> = new (...services: never[]) => T;
/** What is provided for a token or an abstract class. */
export type Provider<T> = { readonly value: T } | { readonly use: Constructor<T> } | { readonly make: () => T };
/** A token, a class that is its own token, or a string or symbol as tsyringe's `@inject` takes it. */
export type ServiceKey<T = unknown> = Token<T> | (abstract new (...services: never[]) => T) | string | symbol;

type Tsyringe = typeof import('tsyringe');

/** Constructs controllers and the services that their constructors request. */
export class ServiceContainer {
  readonly #tsyringe: Tsyringe;
  readonly #container: DependencyContainer;

  private constructor(tsyringe: Tsyringe, container: DependencyContainer) {
    this.#tsyringe = tsyringe;
    this.#container = container;
  }

  /**
   * Loads tsyringe and creates a child of the given container. Rejects with TSYRINGE_TWICE if two copies of tsyringe are loaded.
   *
   * @param parent the container of the program; by default tsyringe's global one
   */
  static async create(parent?: DependencyContainer): Promise<ServiceContainer> {
    const tsyringe = await import('tsyringe');
    assertOneCopy();
    return new ServiceContainer(tsyringe, (parent ?? tsyringe.container).createChildContainer());
  }
  /** Creates a container that has its own registrations and instances, and otherwise uses those of this one. */
  child(): ServiceContainer {
    return new ServiceContainer(this.#tsyringe, this.#container.createChildContainer());
  }

  /** Registers a service. The container constructs it once. */
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
   * Constructs an object of the class with the services that it requests. Throws CANNOT_INJECT and NOT_PROVIDED, naming the class, the
   * parameter and the fix.
   */
  make<T extends object>(target: Constructor<T>): T {
    this.#prepare(target, []);
    return this.#resolve<T>(target);
  }
  /**
   * Checks a class that children of this container construct, and constructs what those children share. Throws as `make`.
   *
   * A child would own the shared services that it is the first to request, and would dispose of them.
   */
  prepareForChildren(target: Constructor): void {
    this.#prepare(target, []);
    const child = this.#container.createChildContainer();
    for (const shared of this.#sharedBy(target, child, new Set())) this.#container.resolveAll(shared);
  }
  /** Constructs an object of a class that `prepareForChildren` of the parent has checked. */
  makePrepared<T extends object>(target: Constructor<T>): T {
    return this.#resolve<T>(target);
  }
  /** Calls `dispose` of each object that this container constructed and that has such a method. */
  async dispose(): Promise<void> {
    await this.#container.dispose();
  }

  /** As `make`, for a class that may be its own token. */
  #construct<T>(target: Constructor<T>): T {
    this.#prepare(target, []);
    // Under a name of its own: the class may be registered with the factory that calls this method.
    const own = Symbol(target.name);
    this.#container.register(own, { useClass: target as unknown as new () => T });
    return this.#resolve<T>(own);
  }
  /** An error of tsyringe names the parameter; an error that a constructor throws has only its message there. */
  #resolve<T>(target: AnyClass | symbol): T {
    try {
      return this.#container.resolve<T>(target as unknown as InjectionToken<T>);
    } catch (error) {
      if (error instanceof KubewrightError) throw error;
      const reason = messageOf(error).replaceAll(/\s*\n\s*/g, ' ');
      throw new KubewrightError(
        'CANNOT_INJECT',
        `cannot construct ${typeof target === 'symbol' ? target.description : target.name}: ${reason}; register what is missing in the container of the manager, or call manager.provide(…) before start`,
        { cause: error },
      );
    }
  }

  /** Tells tsyringe about a class and those that it requests, and finds what is missing before tsyringe does. */
  #prepare(target: AnyClass, path: readonly AnyClass[]): void {
    if (path.includes(target)) {
      const circle = [...path, target].map(({ name }) => name).join(' → ');
      throw new KubewrightError('CANNOT_INJECT', `services request each other in a circle: ${circle}`);
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
    // tsyringe finds the parameters of an inherited constructor only after it has read them for the superclass.
    const { injectable } = this.#tsyringe;
    injectable()(constructorOwner(target) as Constructor<never>);
    injectable()(target as Constructor<never>);
  }
  /** What is registered and a class requests, directly or not, except for what each child constructs for itself. */
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
/** tsyringe keeps its own marks in a map. In a bundle nobody can read that map, and the compiler's metadata is all there is to see. */
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
    ? 'or mark a class that can be constructed with @Injectable() or @injectable()'
    : 'or register it in the container that new Manager({ container }) takes';
  return new KubewrightError(
    'NOT_PROVIDED',
    `${parameter} takes ${what}, which nobody provided: call manager.provide(${what}, …) before start, ${fix}`,
  );
}

function assertOneCopy(): void {
  const loaded = tsyringeModules('index').map(({ filename }) => filename);
  if (loaded.length < 2) return;
  throw new KubewrightError(
    'TSYRINGE_TWICE',
    `two copies of tsyringe are loaded, which do not know each other's services: ${loaded.join(', ')}. Keep one ('npm ls tsyringe' shows who brings it, 'npm dedupe' joins them)`,
  );
}
function tsyringeModules(name: string): readonly NodeJS.Module[] {
  const suffix = new RegExp(`[\\\\/]tsyringe[\\\\/]dist[\\\\/]cjs[\\\\/]${name}\\.js$`);
  const { cache } = createRequire(import.meta.url);
  return Object.entries(cache).flatMap(([file, module]) => (suffix.test(file) && module ? [module] : []));
}
