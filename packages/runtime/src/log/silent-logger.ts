import { Logger } from './logger.js';

/** A logger that writes nothing, for callers that report problems as errors. */
export class SilentLogger extends Logger {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
  override with(): Logger {
    return this;
  }
}
