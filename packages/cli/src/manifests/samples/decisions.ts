/** A decision about a sample. */
export interface Decision {
  /** The field to which the decision belongs. */
  readonly field: string;
  /** Distinguishes decisions about the same field. */
  readonly about: string;
  /** The number of options. */
  readonly options: number;
  /** The index of the selected option. */
  readonly taken: number;
}

/** The decisions that do not select the first option: key of the decision (`keyOf`) → index of the option. */
export type Deviations = ReadonlyMap<string, number>;

/** Returns the key of a decision, which is unique within a sample. */
export function keyOf({ field, about }: Pick<Decision, 'field' | 'about'>): string {
  return `${field}#${about}`;
}

/** Selects the first option of each decision, unless there is a deviation. Records all decisions with several options. */
export class Decisions {
  readonly made: Decision[] = [];
  readonly #deviations: Deviations;

  constructor(deviations: Deviations = new Map()) {
    this.#deviations = deviations;
  }

  /** Returns the selected option; undefined if there are no options. */
  take<T>(field: string, about: string, options: readonly T[]): T | undefined {
    const desired = this.#deviations.get(keyOf({ field, about })) ?? 0;
    const taken = desired < options.length ? desired : 0;
    if (options.length > 1) this.made.push({ field, about, options: options.length, taken });
    return options[taken];
  }
}
