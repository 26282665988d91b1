import { Logger } from './logger.js';

/** A logger that writes nothing. For tools that report problems as errors instead. */
export class SilentLogger extends Logger {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
  override with(): Logger {
    return this;
  }
}
