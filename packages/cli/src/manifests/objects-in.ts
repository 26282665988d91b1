import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { InvalidYamlError, parseYaml } from '@kubewright/apiserver/internal';

/**
 * Parses the objects in YAML or JSON, and returns the same values as kubectl. Skips empty documents.
 *
 * @param path the name of the text in error messages
 * @throws KubewrightError INVALID_MANIFEST if the text is not valid YAML, or if a document lacks apiVersion, kind or metadata.name
 */
export function objectsIn(text: string, path = 'the manifests'): readonly KubeObject[] {
  return documentsOf(text, path).flatMap((document) => {
    if (document === null) return [];
    const { apiVersion, kind, metadata } = document as Partial<KubeObject>;
    if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') {
      return [document as KubeObject];
    }
    throw invalid(path, 'a document lacks apiVersion, kind or metadata.name');
  });
}

/** Parses the documents of a text without checking their content. Throws INVALID_MANIFEST if the text is not valid YAML. */
export function documentsOf(text: string, path: string): readonly unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof InvalidYamlError)) throw error;
    throw invalid(path, error.message, error);
  }
}

function invalid(path: string, why: string, cause?: unknown): KubewrightError {
  return new KubewrightError('INVALID_MANIFEST', `cannot read ${path}: ${why}`, { cause });
}
