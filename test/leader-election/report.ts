/** What a process that contends for a Lease says of itself. */
export interface Report {
  readonly what: 'lead' | 'act' | 'stop';
  /** Another one for each term. */
  readonly identity: string;
  /** On the monotonic clock of the machine. */
  readonly atMs: number;
}
