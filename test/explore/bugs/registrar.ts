import { type Manager, token } from '@kubewright/runtime';
import type { ExternalSystem } from '@kubewright/testing';

/** A registrar of names outside of the cluster. */
export interface Registrar {
  find(name: string): Promise<string | undefined>;
  register(name: string): Promise<void>;
  change(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}
export const Registrar = token<Registrar>('Registrar');

/** A registrar in this process, which refuses a name that is registered. */
export class MemoryRegistrar implements Registrar, ExternalSystem {
  readonly #values = new Map<string, string>();

  provide(manager: Manager): void {
    manager.provide(Registrar, { value: this });
  }
  state(): unknown {
    return [...this.#values];
  }
  async find(name: string): Promise<string | undefined> {
    return this.#values.get(name);
  }
  async register(name: string): Promise<void> {
    if (this.#values.has(name)) throw new Error(`${name} is registered`);
    this.#values.set(name, '');
  }
  async change(name: string, value: string): Promise<void> {
    this.#values.set(name, value);
  }
  async remove(name: string): Promise<void> {
    this.#values.delete(name);
  }
}
