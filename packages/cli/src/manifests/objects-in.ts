import type { KubeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { InvalidYamlError, parseYaml } from '@kubewright/apiserver/internal';

/**
 * Returns the objects in YAML or JSON with the values that kubectl would read.
 *
 * @param path the name of the text in errors
 * @throws KubewrightError INVALID_MANIFEST with the line and the reason
 */
export function objectsIn(text: string, path = 'the manifests'): readonly KubeObject[] {
  return documentsOf(text, path).flatMap((document) => {
    if (document === null) return [];
    const { apiVersion, kind, metadata } = document as Partial<KubeObject>;
    if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') {
      return [document as KubeObject];
    }
    throw invalid(path, 'a document has no apiVersion, kind or metadata.name');
  });
}

/** Returns the documents of a text without checking their content. Throws like `objectsIn`. */
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
