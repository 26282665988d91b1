import { credentialFileText } from '../credentials/credential-file.js';
import { type ContextEntries, fieldError } from './kubeconfig-files.js';

/** A field of a kubeconfig that contains PEM data in base64, or the path of a PEM file. */
export interface PemField {
  /** The name of the field that contains the path. The field that contains the data has the same name with the suffix `-data`. */
  readonly field: 'certificate-authority' | 'client-certificate' | 'client-key' | 'idp-certificate-authority';
  readonly file: string | undefined;
  readonly data: string | undefined;
}

/**
 * Returns the PEM data of a field. Returns undefined if the field is not set. The data takes precedence over the file. Rejects with
 * INVALID_KUBECONFIG if the data is not valid or the file cannot be read.
 */
export async function pemOf(entries: ContextEntries, { field, file, data }: PemField): Promise<string | undefined> {
  if (data) {
    const text = Buffer.from(data, 'base64').toString('utf8');
    if (text.includes('-----BEGIN ')) return text;
    throw fieldError(entries, `${field}-data`, { message: 'is not base64-encoded PEM' });
  }
  if (!file) return undefined;
  try {
    return await credentialFileText(file);
  } catch (error) {
    throw fieldError(entries, field, { message: `cannot be read: ${(error as Error).message}`, cause: error });
  }
}
