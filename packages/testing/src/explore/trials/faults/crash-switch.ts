/** Whether the current instance of an operator has crashed. The server cuts all requests and watches of a crashed instance. */
export class CrashSwitch {
  #isCrashed = false;
  #crashes = 0;
  #onCrash: () => void = () => undefined;

  get isCrashed(): boolean {
    return this.#isCrashed;
  }
  /** The number of crashes. Code of an earlier instance compares this number to detect that its process has ended. */
  get crashes(): number {
    return this.#crashes;
  }

  /** Resolves at the next crash. */
  crashed(): Promise<void> {
    return new Promise((resolve) => {
      this.#onCrash = resolve;
    });
  }
  crash(): void {
    this.#isCrashed = true;
    this.#crashes++;
    this.#onCrash();
  }
  /** Allows connections again, for the next instance of the operator. */
  restart(): void {
    this.#isCrashed = false;
  }
}
