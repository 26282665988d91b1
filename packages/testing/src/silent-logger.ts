import { Logger } from '@kubewright/runtime';

/** Says nothing. */
export class SilentLogger extends Logger {
  override debug(): void {}
  override info(): void {}
  override warn(): void {}
  override error(): void {}
  override with(): Logger {
    return this;
  }
}
