import { Logger } from '@kubewright/runtime';

/** An error of a reconcile or of a finalizer. */
export interface ReconcileError {
  readonly error: unknown;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** Collects the errors of reconciles from the log lines of a manager. All other log lines are discarded. */
export class ReconcileErrors extends Logger {
  readonly #errors: ReconcileError[] = [];

  /** Returns the errors since the previous call. */
  take(): readonly ReconcileError[] {
    return this.#errors.splice(0);
  }

  override error(_message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { error, attempt } = fields;
    if (error !== undefined && typeof attempt === 'number') this.#errors.push({ error, attempt });
  }
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override with(): Logger {
    return this;
  }
}
