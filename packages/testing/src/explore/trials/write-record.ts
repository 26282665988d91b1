/** A write of the operator. */
export interface WriteRecord {
  /** A description of the write, such as 'apply deployment default/web'. */
  readonly attempted: string;
  /** The stable name of the write in this trial: the description and the number of equal descriptions before it, from 1. */
  readonly name: string;
  /** Whether the write changes only the finalizers of an object. */
  readonly isFinalizers: boolean;
}
