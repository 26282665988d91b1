/** The reasons why a project cannot be created completely. */
export type ScaffoldErrorCode =
  /** A file could not be read or written. The message states whether files were changed. */
  | 'FILES_NOT_WRITTEN'
  /** A path leads out of the folder of the project, or is not the path of a file. */
  | 'INVALID_PATH'
  /** Kubernetes or npm would reject a name, or a name conflicts with another name. */
  | 'INVALID_NAME'
  /** An argument is unknown or has no value. */
  | 'INVALID_ARGUMENT'
  /** The folder for the project already contains files, or cannot be read. */
  | 'FOLDER_NOT_EMPTY'
  /** The package manager is missing, or its installation failed. */
  | 'INSTALL_FAILED'
  /** The manifests of a new project could not be generated. */
  | 'GENERATE_FAILED'
  /** The user canceled the command. */
  | 'CANCELLED';

/** The error of a project that cannot be created as requested. The message contains the problem, its location, and the correct input. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';

  constructor(
    readonly code: ScaffoldErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** The exit code of the command: 1 refused, 2 wrong usage, 3 error in the project, 4 error of the installation, 130 canceled. */
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
