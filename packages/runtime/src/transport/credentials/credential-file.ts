import { readFile } from 'node:fs/promises';
import { maskText } from '@kubewright/api/secrets';

/** The maximum length of a path in an error. A longer value is probably a credential that was set instead of its path. */
const LONGEST_SHOWN_PATH = 256;

/**
 * Returns the text of a file with a credential. If the file cannot be read, rejects with the error of the file system. If `file` is
 * probably a credential and not a path, the error contains only the length of `file`.
 */
export async function credentialFileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isShownPath(file)) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    // oxlint-disable-next-line preserve-caught-error -- the error of the file system contains the value
    throw new Error(`cannot read the file (${code}): use a path, not a value of ${file.length} characters`);
  }
}

function isShownPath(file: string): boolean {
  return file.length <= LONGEST_SHOWN_PATH && !/[\r\n\0]/.test(file) && maskText(file) === file;
}
