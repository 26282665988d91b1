import { readFile } from 'node:fs/promises';
import { KubewrightError } from '@kubewright/api/errors';
import { shownKubeconfig } from './kubeconfig-source.js';

/** The content of a kubeconfig, and the file from which it was read. */
export interface KubeconfigText {
  /** The path of the file, or '(inline)' if the content was passed directly. */
  readonly file: string;
  readonly text: string;
}

/** Returns an error that names the kubeconfig file with the problem. */
export function kubeconfigError(file: string, message: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_KUBECONFIG', `kubeconfig ${file}: ${message}`, { cause });
}

/**
 * Reads a kubeconfig file. Returns undefined if the file does not exist. Throws INVALID_KUBECONFIG if the file cannot be read. If the value
 * is too long for a path, it may be the content of a kubeconfig. The message then contains neither the value nor the error of the file
 * system.
 */
export async function kubeconfigFile(file: string): Promise<KubeconfigText | undefined> {
  try {
    return { file, text: await readFile(file, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const shown = shownKubeconfig(file);
    if (shown === file) throw kubeconfigError(file, `cannot read the file: ${message}`, error);
    throw kubeconfigError(shown, `cannot read the file (${code}); ${TEXT_OR_PATH}`);
  }
}

/** The values that an option for a kubeconfig accepts, for error messages. */
export const TEXT_OR_PATH = 'use a path, or the text of a kubeconfig as YAML or JSON';
