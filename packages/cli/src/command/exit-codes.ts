import { KubewrightError } from '@kubewright/api/errors';
import type { ScaffoldError } from 'create-operator';

/** What a command ends with, for scripts: whether it was done, and if not whose it is to change something. */
export const ExitCode = {
  /** It was done. */
  done: 0,
  /** It was asked, and the answer is no: drift, breaking changes, findings. */
  no: 1,
  /** The command line is wrong: a command, an option or a value that there is not. */
  usage: 2,
  /** The project is wrong: type errors, declarations, settings. */
  project: 3,
  /** The cluster, the network or a container engine refused, or cannot be reached. */
  cluster: 4,
  /** A defect of Kubewright. */
  defect: 70,
  /** It was told to end before it was done, such as by Ctrl-C. */
  interrupted: 130,
} as const;

/** One of the numbers of `ExitCode`. */
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Errors by the code with which they end a command. An error of another code is of the project, which is where most are. */
const CODES: Readonly<Record<string, ExitCode>> = {
  DECLINED: ExitCode.no,
  NO_DEFINITIONS: ExitCode.usage,
  NO_PROJECT: ExitCode.usage,
  NOT_AGREED: ExitCode.usage,
  NOT_A_DEFINITION: ExitCode.usage,
  NO_SUCH_OBJECT: ExitCode.usage,
  UNKNOWN_CONTROLLER: ExitCode.usage,
  WRONG_USAGE: ExitCode.usage,
  API_ERROR: ExitCode.cluster,
  APPLY_CONFLICT: ExitCode.cluster,
  CREDENTIALS_FAILED: ExitCode.cluster,
  CREDENTIAL_PLUGIN_FAILED: ExitCode.cluster,
  DISCOVERY_FAILED: ExitCode.cluster,
  FORBIDDEN: ExitCode.cluster,
  INVALID_ANSWER: ExitCode.cluster,
  INVALID_KUBECONFIG: ExitCode.cluster,
  INVALID_PROXY: ExitCode.cluster,
  INVALID_SERVER: ExitCode.cluster,
  KIND_NOT_SERVED: ExitCode.cluster,
  NOT_AVAILABLE: ExitCode.cluster,
  NOT_ESTABLISHED: ExitCode.cluster,
  NO_CLUSTER: ExitCode.cluster,
  NO_CONTAINER_ENGINE: ExitCode.cluster,
  OIDC_FAILED: ExitCode.cluster,
  PUSH_FAILED: ExitCode.cluster,
  REQUEST_FAILED: ExitCode.cluster,
  REQUEST_TIMEOUT: ExitCode.cluster,
  SERVER_FAILED: ExitCode.cluster,
  SERVER_UNREACHABLE: ExitCode.cluster,
  STILL_THERE: ExitCode.cluster,
  UNAUTHENTICATED: ExitCode.cluster,
  UNTRUSTED_SERVER: ExitCode.cluster,
};

/** The exit code for what was thrown. What is no error of ours is a defect. */
export function exitCodeOf(thrown: unknown): ExitCode {
  if (thrown instanceof KubewrightError) return CODES[thrown.code] ?? ExitCode.project;
  if (isScaffoldError(thrown)) return thrown.exitCode;
  return ExitCode.defect;
}

/** Known by its name: what it comes from is loaded by those commands only that need it. */
function isScaffoldError(thrown: unknown): thrown is ScaffoldError {
  return thrown instanceof Error && thrown.name === 'ScaffoldError';
}
