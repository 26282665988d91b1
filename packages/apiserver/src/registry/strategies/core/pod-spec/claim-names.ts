/** The names of the resource claims of a Pod. Each container can refer to these names. */
export class ClaimNames {
  readonly #names: readonly string[];
  readonly #known: ReadonlySet<string>;
  #listed: string | undefined;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#known = new Set(names);
  }

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** The end of the error text for an unknown name. The text is created once, because many errors can contain it. */
  get listed(): string {
    this.#listed ??= this.#names.length === 0 ? ' which is empty' : `: ${this.#names.toSorted().join(', ')}`;
    return this.#listed;
  }
}
