import { KubewrightError } from './kubewright-error.js';

/** Thrown by a reconcile that a retry cannot help. The object waits for its next change. */
export class TerminalError extends KubewrightError {
  /** The reason of the condition that is written. */
  readonly reason: string;
  /** `reason` is the reason of the condition that is written. @default 'Terminal' */
  constructor(message: string, options: { readonly cause?: unknown; readonly reason?: string } = {}) {
    super('TERMINAL', message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason ?? 'Terminal';
  }
}
