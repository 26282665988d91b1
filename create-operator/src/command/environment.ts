import type { Readable, Writable } from 'node:stream';

/** A Kubewright package as a tarball. */
export interface PackedPackage {
  /** The name of the package, such as '@kubewright/api'. */
  readonly name: string;
  /** The absolute path of the tarball. */
  readonly path: string;
}

/** The environment in which a project is created. */
export interface Environment {
  /** The current folder of the caller. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a person can answer questions. */
  readonly interactive: boolean;
  /** Prints a line for the user. */
  readonly line: (text: string) => void;
  /** The streams for answers and questions. @default the streams of the process */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /**
   * Returns all Kubewright packages as tarballs, for the project in a folder. The project gets copies of the tarballs and installs the
   * packages from these copies. Called before any file is written. @default the packages are installed from the registry
   */
  readonly packagesFor?: (root: string) => Promise<readonly PackedPackage[]>;
  /** Aborts long-running steps. @default never */
  readonly signal?: AbortSignal;
}
