import { KubewrightError } from './kubewright-error.js';

/** Thrown by a reconciler for an error that a retry cannot fix. The controller does not requeue the object until the object changes. */
export class TerminalError extends KubewrightError {
  /** The reason of the condition that reports the error. */
  readonly reason: string;
  /** Creates an error. `reason` is the reason of the condition that reports the error. @default 'Terminal' */
  constructor(message: string, options: { readonly cause?: unknown; readonly reason?: string } = {}) {
    super('TERMINAL', message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = options.reason ?? 'Terminal';
  }
}
