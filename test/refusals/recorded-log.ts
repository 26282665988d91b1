import { Logger } from '@kubewright/runtime';

/** A logger that records its lines, starting with the level. */
export class RecordedLog extends Logger {
  readonly lines: string[] = [];

  override debug(): void {}
  override info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  override warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  override error(message: string): void {
    this.lines.push(`error ${message}`);
  }
  override with(): Logger {
    return this;
  }

  /** The recorded errors and warnings. */
  get problems(): readonly string[] {
    return this.lines.filter((line) => !line.startsWith('info '));
  }
}
