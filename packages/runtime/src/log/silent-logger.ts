import { Logger } from './logger.js';

/** Says nothing, for those who tell what goes wrong by errors. */
export class SilentLogger extends Logger {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
  override with(): Logger {
    return this;
  }
}
