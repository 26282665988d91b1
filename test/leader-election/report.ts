/** What a process that contends for a Lease says of itself. */
export interface Report {
  /** `lost` is a stop of which its machine may have told it late; by then it did nothing any more. */
  readonly what: 'lead' | 'act' | 'stop' | 'lost';
  /** Another one for each term. */
  readonly identity: string;
  /** On the monotonic clock of the machine. */
  readonly atMs: number;
}
