import { createRequire } from 'node:module';
import { KubewrightError } from '@kubewright/api/errors';
import type { DependencyContainer, InjectionToken } from 'tsyringe';
import type { AnyClass } from '../../controller/class-metadata.js';
import { servicesOf } from './constructor-services.js';
import { isInjectable } from './injection.js';
import { isToken, keyOfToken, type Token } from './token.js';

/** A class that the container can make. */
export type Constructor<T = object> = new (...services: never[]) => T;
/** What stands for a token or an abstract class. */
export type Provider<T> = { readonly value: T } | { readonly use: Constructor<T> } | { readonly make: () => T };
/** A token, or a class that is its own token. */
export type ServiceKey<T = unknown> = Token<T> | (abstract new (...services: never[]) => T);

type Tsyringe = typeof import('tsyringe');

/** Makes controllers with what their constructors ask for. */
export class ServiceContainer {
  readonly #tsyringe: Tsyringe;
  readonly #container: DependencyContainer;

  private constructor(tsyringe: Tsyringe, container: DependencyContainer) {
    this.#tsyringe = tsyringe;
    this.#container = container;
  }

  /** Loads tsyringe and makes a child of its container. Rejects with TSYRINGE_TWICE when two copies of it are loaded. */
  static async create(): Promise<ServiceContainer> {
    const tsyringe = await import('tsyringe');
    assertOneCopy();
    return new ServiceContainer(tsyringe, tsyringe.container.createChildContainer());
  }
  /** A container that knows more than this one. */
  child(): ServiceContainer {
    return new ServiceContainer(this.#tsyringe, this.#container.createChildContainer());
  }

  /** What is made is made once. */
  provide<T>(key: ServiceKey<T>, provider: Provider<T>): void {
    const { instanceCachingFactory } = this.#tsyringe;
    const name = nameOf(key);
    if ('value' in provider) this.#container.register(name, { useValue: provider.value });
    else {
      const make = 'make' in provider ? provider.make : () => this.#construct(provider.use);
      this.#container.register(name, { useFactory: instanceCachingFactory(() => make()) });
    }
  }

  /** Makes an object of the class, and of the classes that it asks for. Throws CANNOT_INJECT and NOT_PROVIDED, naming class and parameter. */
  make<T extends object>(target: Constructor<T>): T {
    this.#prepare(target, []);
    return this.#container.resolve<T>(target as unknown as InjectionToken<T>);
  }

  /** As `make`, for a class that may be its own token. */
  #construct<T>(target: Constructor<T>): T {
    this.#prepare(target, []);
    const services = servicesOf(target).map((service) =>
      this.#container.resolve(nameOf('token' in service ? service.token : service.type)),
    );
    return new target(...(services as never[]));
  }

  /** Tells tsyringe about a class and those that it asks for, and finds what is missing before tsyringe does. */
  #prepare(target: AnyClass, path: readonly AnyClass[]): void {
    if (path.includes(target)) {
      const circle = [...path, target].map(({ name }) => name).join(' → ');
      throw new KubewrightError('CANNOT_INJECT', `services ask for each other in a circle: ${circle}`);
    }
    for (const [at, service] of servicesOf(target).entries()) {
      const key = 'token' in service ? service.token : service.type;
      const name = nameOf(key);
      if ('token' in service) this.#tsyringe.inject(name)(target, undefined, at);
      if (this.#container.isRegistered(name, true)) continue;
      if ('token' in service) throw notProvided(target, at, service.token.description);
      if (!isInjectable(service.type)) throw notProvided(target, at, service.type.name);
      this.#prepare(service.type, [...path, target]);
    }
    this.#tsyringe.injectable()(target as Constructor<never>);
  }
}

function nameOf<T>(key: ServiceKey<T>): InjectionToken<T> {
  return isToken(key) ? keyOfToken(key) : (key as unknown as InjectionToken<T>);
}
function notProvided(target: AnyClass, at: number, what: string): KubewrightError {
  return new KubewrightError(
    'NOT_PROVIDED',
    `parameter ${at} of the constructor of ${target.name} takes ${what}, which nobody provided: call manager.provide(${what}, …) before start, or mark a class that can be made with @Injectable()`,
  );
}

function assertOneCopy(): void {
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    /[\\/]tsyringe[\\/]dist[\\/]cjs[\\/]index\.js$/.test(file),
  );
  if (loaded.length < 2) return;
  throw new KubewrightError(
    'TSYRINGE_TWICE',
    `two copies of tsyringe are loaded, which do not know each other's services: ${loaded.join(', ')}. Keep one ('npm ls tsyringe' shows who brings it, 'npm dedupe' joins them)`,
  );
}
