/** What a project can be refused for. */
export type ScaffoldErrorCode =
  /** A file could not be written; what was there before is there again. */
  | 'FILES_NOT_WRITTEN'
  /** A path leads out of the folder of the project, or is not one of a file. */
  | 'INVALID_PATH'
  /** A name that Kubernetes or npm would refuse, or an answer that does not fit the others. */
  | 'INVALID_NAME'
  /** An argument that is not known, or has no value. */
  | 'INVALID_ARGUMENT'
  /** The folder for the project has files already. */
  | 'FOLDER_NOT_EMPTY'
  /** The package manager could not be run, or did not install. */
  | 'INSTALL_FAILED'
  /** The manifests of a new project could not be made. */
  | 'GENERATE_FAILED'
  /** The person at the terminal went away. */
  | 'CANCELLED';

/** A project that cannot be made as asked. The message says what was wrong, where, and what to type instead. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';

  constructor(
    readonly code: ScaffoldErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** What a command ends with: 1 for no, 2 for wrong usage, 3 for the project, 4 for the network, 130 when it was to end. */
  get exitCode(): 1 | 2 | 3 | 4 | 130 {
    return EXIT_CODES[this.code];
  }
}

const EXIT_CODES: Readonly<Record<ScaffoldErrorCode, 1 | 2 | 3 | 4 | 130>> = {
  CANCELLED: 130,
  FOLDER_NOT_EMPTY: 1,
  INVALID_ARGUMENT: 2,
  INVALID_NAME: 2,
  INVALID_PATH: 3,
  FILES_NOT_WRITTEN: 3,
  GENERATE_FAILED: 3,
  INSTALL_FAILED: 4,
};
