/** A report of a process that competes for a Lease. */
export interface Report {
  /** `lost` is a stop that the process may report late. The process does not act as the leader after the loss. */
  readonly what: 'lead' | 'act' | 'stop' | 'lost';
  /** The identity of the process during this term. A process has another identity in each term. */
  readonly identity: string;
  /** Time on the monotonic clock of the machine in milliseconds. */
  readonly atMs: number;
}
