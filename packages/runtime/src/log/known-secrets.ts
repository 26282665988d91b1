import { AsyncVariable } from '../context/async-variable.js';
import { maskerOf, maskText, type SecretRules, secretValuesIn } from '@kubewright/api/secrets';

/** The maximum number of recorded objects. A reconcile usually reads few Secrets. If it lists more, only the first are recorded. */
const MOST_OBJECTS = 100;

const running = new AsyncVariable<KnownSecrets>();

/**
 * Records the objects with secrets that one reconcile reads or writes. Masks their secret values in the texts of logs, events, conditions
 * and spans. The objects are searched for secret values only when the next text is masked.
 */
export class KnownSecrets {
  readonly #objects: { readonly object: unknown; readonly rules: SecretRules }[] = [];
  #values: Set<string> | undefined;
  #searched = 0;
  #mask: ((text: string) => string) | undefined;

  /** Calls `work` so that `currentSecrets` returns this object, also in asynchronous work that `work` starts. */
  within<R>(work: () => R): R {
    return running.run(this, work);
  }
  /** Records an object, or each object of a list. Records at most 100 objects in total. */
  remember(found: unknown, rules: SecretRules = {}): void {
    for (const object of [found].flat()) {
      if (this.#objects.length >= MOST_OBJECTS) return;
      this.#objects.push({ object, rules });
    }
  }
  /** Returns a text in which the secret values of all recorded objects are masked. */
  mask(text: string): string {
    if (this.#objects.length === 0) return text;
    if (this.#mask === undefined || this.#searched < this.#objects.length) {
      const values = (this.#values ??= new Set());
      for (; this.#searched < this.#objects.length; this.#searched++) {
        const { object, rules } = this.#objects[this.#searched]!;
        for (const value of secretValuesIn(object, rules)) values.add(value);
      }
      this.#mask = maskerOf([...values]);
    }
    return this.#mask(text);
  }
}

/** Returns the secrets of the current reconcile. Returns undefined outside of a reconcile. */
export function currentSecrets(): KnownSecrets | undefined {
  return running.get();
}

/** Returns a text in which credentials and the secret values of the current reconcile are masked. */
export function shownText(text: string): string {
  return maskText(currentSecrets()?.mask(text) ?? text);
}
