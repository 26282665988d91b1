import type { Readable, Writable } from 'node:stream';

/** One of our packages as a tarball. */
export interface PackedPackage {
  /** '@kubewright/api' */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

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
  /**
   * Returns all of our packages as tarballs, for the project in a folder. The project gets copies and installs our packages from them.
   * Called before anything is written. @default our packages come from the registry
   */
  readonly packagesFor?: (root: string) => Promise<readonly PackedPackage[]>;
  /** Ends what takes long. @default never */
  readonly signal?: AbortSignal;
}
