/** The types and functions that the class in `CRASH_CLASS` imports from @kubewright/testing. */
export const CRASH_IMPORTS = [
  'type FaultPlan',
  'type PlannedRequest',
  'type RequestFault',
  'WriteNames',
  'writeNameText',
] as const;

/** The source of a fault plan that crashes the operator, for generated tests. */
export const CRASH_CLASS = `
/** Cuts the connection of the operator directly after a write, as if the operator crashed. */
class CrashAfter implements FaultPlan {
  hasCrashed = false;
  readonly #names = new WriteNames();
  readonly #write: string;

  constructor(write: string) {
    this.#write = write;
  }

  onRequest(request: PlannedRequest): RequestFault | undefined {
    if (!request.id?.startsWith('manager-')) return undefined;
    if (this.hasCrashed) return { kind: 'cut', after: 'none' };
    const name = this.#names.next(request);
    if (name === undefined || writeNameText(name) !== this.#write) return undefined;
    this.hasCrashed = true;
    return { kind: 'cut', after: 'write' };
  }
}
`;
