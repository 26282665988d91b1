import { AsyncLocalStorage } from 'node:async_hooks';
import { maskerOf, maskText, type SecretRules, secretValuesIn } from '@kubewright/api/secrets';

/** Maximum number of objects. A run usually reads few Secrets; of a longer list, only the first objects are recorded. */
const MOST_OBJECTS = 100;

const running = new AsyncLocalStorage<KnownSecrets>();

/**
 * The objects with secrets that one run read or wrote. Texts that the run writes to a log, an event, a condition or a span are masked by
 * the values of these objects. An object is searched for values when the first text after it is masked, not when it is remembered.
 */
export class KnownSecrets {
  readonly #objects: { readonly object: unknown; readonly rules: SecretRules }[] = [];
  readonly #values = new Set<string>();
  #searched = 0;
  #mask: ((text: string) => string) | undefined;

  /** Runs a function, and the asynchronous work that it starts, with these secrets. */
  within<R>(work: () => R): R {
    return running.run(this, work);
  }
  /** Remembers an object, or each object of a list; at most 100 in all. */
  remember(found: unknown, rules: SecretRules = {}): void {
    for (const object of [found].flat()) {
      if (this.#objects.length >= MOST_OBJECTS) return;
      this.#objects.push({ object, rules });
    }
  }
  /** Returns a text with the values of all remembered objects masked. */
  mask(text: string): string {
    if (this.#objects.length === 0) return text;
    if (this.#mask === undefined || this.#searched < this.#objects.length) {
      for (; this.#searched < this.#objects.length; this.#searched++) {
        const { object, rules } = this.#objects[this.#searched]!;
        for (const value of secretValuesIn(object, rules)) this.#values.add(value);
      }
      this.#mask = maskerOf([...this.#values]);
    }
    return this.#mask(text);
  }
}

/** Returns the secrets of the run that is calling; undefined outside of a run. */
export function currentSecrets(): KnownSecrets | undefined {
  return running.getStore();
}

/** Returns a text with its credentials masked, and with the values of secret fields that the calling run knows. */
export function shownText(text: string): string {
  return maskText(currentSecrets()?.mask(text) ?? text);
}
