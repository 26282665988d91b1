/** One decision in the making of a sample. */
export interface Decision {
  /** The field that it is about. */
  readonly field: string;
  /** What tells it from others about the same field. */
  readonly about: string;
  /** How many options there were. */
  readonly options: number;
  /** The option that was taken. */
  readonly taken: number;
}

/** What is to be decided otherwise than by the first option, by `keyOf` the decision. */
export type Deviations = ReadonlyMap<string, number>;

/** What tells a decision from all others of a sample. */
export function keyOf({ field, about }: Pick<Decision, 'field' | 'about'>): string {
  return `${field}#${about}`;
}

/** Takes the first of several options, but where it is told otherwise; and remembers what there was to decide. */
export class Decisions {
  readonly made: Decision[] = [];
  readonly #deviations: Deviations;

  constructor(deviations: Deviations = new Map()) {
    this.#deviations = deviations;
  }

  /** One of the options; undefined where there are none. */
  take<T>(field: string, about: string, options: readonly T[]): T | undefined {
    const wanted = this.#deviations.get(keyOf({ field, about })) ?? 0;
    const taken = wanted < options.length ? wanted : 0;
    if (options.length > 1) this.made.push({ field, about, options: options.length, taken });
    return options[taken];
  }
}
