import type { ApiObject } from '../../registry/objects/api-object.js';
import type { VersionConversion } from '../../registry/definitions/version-conversion.js';

/** Converts the objects of one watch with the webhook of their kind, one call after the other. */
export class WatchConversions {
  readonly #conversion: VersionConversion | undefined;
  readonly #onSettled: () => void;
  #isRunning = false;
  #error: unknown;

  /** @param onSettled called after each call of the webhook */
  constructor(conversion: VersionConversion | undefined, onSettled: () => void) {
    this.#conversion = conversion;
    this.#onSettled = onSettled;
  }

  /** Whether the watch waits for a call of the webhook. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Whether the next objects can be sent. If not, starts the conversion of the objects that `ahead` returns. These objects must include the
   * next objects. If the webhook could not convert the next objects, throws the error of the webhook.
   */
  isReady(next: readonly ApiObject[], ahead: () => readonly ApiObject[]): boolean {
    const conversion = this.#conversion;
    if (conversion === undefined || next.every(conversion.isRead)) return true;
    if (this.#isRunning) return false;
    if (this.#error !== undefined) throw this.#error;
    this.#isRunning = true;
    void this.#convert(conversion, ahead());
    return false;
  }

  async #convert(conversion: VersionConversion, objects: readonly ApiObject[]): Promise<void> {
    try {
      await conversion.read(objects);
    } catch (error) {
      this.#error = error;
    }
    this.#isRunning = false;
    this.#onSettled();
  }
}
