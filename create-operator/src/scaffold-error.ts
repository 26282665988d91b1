/** The reasons why a project cannot be created completely. */
export type ScaffoldErrorCode =
  /** A file could not be read or written. The message states whether files were changed. */
  | 'FILES_NOT_WRITTEN'
  /** A path leads out of the folder of the project, or is not the path of a file. */
  | 'INVALID_PATH'
  /** Kubernetes or npm would reject a name, or a name conflicts with another name. */
  | 'INVALID_NAME'
  /** The arguments contain an unknown option, an option without its value, an unknown package manager, or a second folder. */
  | 'INVALID_ARGUMENT'
  /** The folder for the project already contains files, or cannot be read. */
  | 'FOLDER_NOT_EMPTY'
  /** The package manager is missing, or cannot install the packages. */
  | 'INSTALL_FAILED'
  /** The manifests of a new project could not be generated. */
  | 'GENERATE_FAILED'
  /** The user canceled the command. */
  | 'CANCELLED';

/** Thrown if a project cannot be created as requested. The message states the problem, its location, and what to do. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';

  constructor(
    readonly code: ScaffoldErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /**
   * The exit code of the command: 1 if the folder cannot be used, 2 for an invalid argument or name, 3 if files cannot be written or
   * generated, 4 if packages cannot be installed, 130 if the user canceled the command.
   */
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
