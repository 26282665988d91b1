import type { Readable, Writable } from 'node:stream';

/** What the process gives to the making of a project. */
export interface Surroundings {
  /** The folder in which the command was called. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody can answer. */
  readonly interactive: boolean;
  /** Writes a line for the person who made it. */
  readonly line: (text: string) => void;
  /** Where answers come from and questions go to. @default those of the process */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** Ends what takes long. @default never */
  readonly signal?: AbortSignal;
}
