import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { parseAllDocuments } from 'yaml';

const VERSION = 'apiextensions.k8s.io/v1';

/**
 * The CustomResourceDefinitions in a manifest, also those within lists. Throws NOT_A_DEFINITION for a text that is no YAML and for
 * definitions of another version or without content. @param where names the manifest in errors
 */
export function definitionsIn(text: string, where: string): readonly CustomResourceDefinition[] {
  const documents = parseAllDocuments(text);
  return ('empty' in documents ? [] : documents).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw unreadable(`${where} is no YAML: ${error.message.split('\n')[0] ?? ''}`);
    return definitionsWithin(document.toJS(), where);
  });
}

function definitionsWithin(value: unknown, where: string): readonly CustomResourceDefinition[] {
  if (!isMap(value)) return [];
  const { kind, apiVersion, items } = value;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item) => definitionsWithin(item, where));
  }
  if (kind !== 'CustomResourceDefinition') return [];
  const named = isMap(value['metadata']) ? String(value['metadata']['name']) : 'a definition';
  if (apiVersion !== VERSION) {
    const why = `${named} in ${where} is of ${String(apiVersion)}; only ${VERSION} is served by any Kubernetes since 1.22`;
    throw unreadable(why);
  }
  const { spec } = value;
  if (!isMap(spec) || !Array.isArray(spec['versions']) || !isMap(spec['names'])) {
    throw unreadable(`${named} in ${where} has no spec with names and versions`);
  }
  return [value as unknown as CustomResourceDefinition];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(why: string): KubewrightError {
  return new KubewrightError('NOT_A_DEFINITION', `cannot read the definitions to compare with: ${why}`);
}
