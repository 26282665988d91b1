import type { Manager, Provider, ServiceKey } from '@kubewright/runtime';
import type { CrashSwitch } from './crash-switch.js';
import type { CallFailure, CrashFault, Fault } from './fault.js';

/** A call of an external system that a trial names and can disturb. */
type DisturbedCall = CallFailure | Extract<CrashFault, { readonly call: string }>;

/**
 * Names the calls of the external systems of an operator, such as 'DnsApi.createZone #1', and injects their faults. Intercepts the methods
 * of services that an external system provides as `value` or `make`. Each method counts its own calls.
 */
export class ExternalCalls {
  readonly #faults: readonly DisturbedCall[];
  readonly #crash: CrashSwitch;
  readonly #counts = new Map<string, number>();
  readonly #names: string[] = [];

  constructor(faults: readonly Fault[], crash: CrashSwitch) {
    this.#faults = faults.flatMap((fault) => (fault.kind === 'call' || isCrashAtCall(fault) ? [fault] : []));
    this.#crash = crash;
  }

  /** The names of the calls, in the order of the calls. */
  get all(): readonly string[] {
    return this.#names;
  }

  /** Returns the manager with a `provide` that intercepts the calls of the provided services. */
  providing(manager: Manager): Manager {
    const { crashes } = this.#crash;
    const intercepting: Manager = new Proxy(manager, {
      get: (target, property) => {
        if (property !== 'provide') return methodOf(target, Reflect.get(target, property, target));
        return <T>(token: ServiceKey<T>, provider: Provider<T>): Manager => {
          target.provide(token, this.#intercepted(provider, { service: serviceName(token), crashes }));
          return intercepting;
        };
      },
    });
    return intercepting;
  }

  #intercepted<T>(provider: Provider<T>, of: { readonly service: string; readonly crashes: number }): Provider<T> {
    if ('value' in provider) return { value: this.#service(provider.value, of) };
    return 'make' in provider ? { make: () => this.#service(provider.make(), of) } : provider;
  }

  #service<T>(value: T, { service, crashes }: { readonly service: string; readonly crashes: number }): T {
    if (typeof value !== 'object' || value === null) return value;
    // The target of the proxy is another object, because a proxy cannot replace the methods of a frozen object.
    return new Proxy(Object.create(Object.getPrototypeOf(value) as object | null) as T & object, {
      get: (_target, property) => {
        const member: unknown = Reflect.get(value, property, value);
        if (typeof member !== 'function' || typeof property === 'symbol' || property === 'constructor') return member;
        return (...sent: readonly unknown[]): unknown => {
          if (this.#crash.crashes !== crashes) throw ended();
          const method = member.bind(value) as (...sent: readonly unknown[]) => unknown;
          return this.#call(`${service}.${property}`, () => method(...sent), {
            isAsync: member instanceof AsyncFunction,
          });
        };
      },
      set: (_target, property, next) => Reflect.set(value, property, next, value),
      has: (_target, property) => Reflect.has(value, property),
    });
  }

  #call(method: string, act: () => unknown, { isAsync }: { readonly isAsync: boolean }): unknown {
    const count = (this.#counts.get(method) ?? 0) + 1;
    this.#counts.set(method, count);
    const name = `${method} #${count}`;
    this.#names.push(name);
    const fault = this.#faults.find(({ call }) => call === name);
    if (fault === undefined) return act();
    const fail = (): never => this.#fail(fault);
    const isExecuted = fault.kind === 'call' ? fault.failure === 'lost' : fault.at === 'after';
    if (!isExecuted) return isAsync ? Promise.resolve().then(fail) : fail();
    const result = act();
    return result instanceof Promise ? result.then(fail) : fail();
  }

  /** Throws the error of a fault. After a crash, the earlier instance of the operator must not continue. */
  #fail(fault: DisturbedCall): never {
    if (fault.kind === 'call') throw new Error(`${fault.call} failed: connection reset`);
    this.#crash.crash();
    throw ended();
  }
}

/** The class of asynchronous functions, which JavaScript does not declare as a global. */
const AsyncFunction = (async () => undefined).constructor as abstract new () => object;

function isCrashAtCall(fault: Fault): fault is Extract<CrashFault, { readonly call: string }> {
  return fault.kind === 'crash' && 'call' in fault;
}

function ended(): Error {
  return new Error('the process of the operator has ended');
}

function methodOf(target: object, member: unknown): unknown {
  return typeof member === 'function' ? (member.bind(target) as unknown) : member;
}

function serviceName(token: ServiceKey): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'symbol') return token.description ?? 'service';
  return typeof token === 'function' ? token.name : token.description;
}
