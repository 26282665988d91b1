/** A selection among several possible values during the creation of a sample, such as the selected branch of `oneOf`. */
export interface Decision {
  /** The path of the field. */
  readonly field: string;
  /** The topic, such as 'oneOf', which distinguishes decisions about the same field. */
  readonly about: string;
  /** The number of options. */
  readonly options: number;
  /** The index of the selected option. */
  readonly taken: number;
}

/** The index of the option to select, by the key of the decision (`keyOf`). All other decisions select the first option. */
export type Deviations = ReadonlyMap<string, number>;

/** Returns the key of a decision, which is unique within a sample. */
export function keyOf({ field, about }: Pick<Decision, 'field' | 'about'>): string {
  return `${field}#${about}`;
}

/**
 * Selects an option for each decision: the option in the deviations, or otherwise the first option. Records decisions with several options.
 */
export class Decisions {
  readonly made: Decision[] = [];
  readonly #deviations: Deviations;

  constructor(deviations: Deviations = new Map()) {
    this.#deviations = deviations;
  }

  /** Returns the selected option; undefined if there are no options. */
  take<T>(field: string, about: string, options: readonly T[]): T | undefined {
    const deviation = this.#deviations.get(keyOf({ field, about })) ?? 0;
    const taken = deviation < options.length ? deviation : 0;
    if (options.length > 1) this.made.push({ field, about, options: options.length, taken });
    return options[taken];
  }
}
