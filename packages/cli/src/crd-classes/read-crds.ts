import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { KubewrightError } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { type Document, isScalar, parseAllDocuments, visit } from 'yaml';

/**
 * The CustomResourceDefinitions of a YAML or JSON file, those in lists included. Other objects in it are passed over.
 *
 * @param path named in errors
 * @throws KubewrightError INVALID_CRD naming file and line, when it is no YAML, has no definition, or has one of an old version
 */
export function readCrds(text: string, path: string): readonly CustomResourceDefinition[] {
  const crds = documentsOf(text, path).flatMap((value) => crdsIn(value, path));
  if (crds.length === 0) throw invalid(path, 'it has no CustomResourceDefinition; name a file that has one');
  return crds;
}

function documentsOf(text: string, path: string): readonly unknown[] {
  return [...parseAllDocuments(text, { intAsBigInt: true })].map((document) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line;
      throw invalid(line === undefined ? path : `${path}:${line}`, `it is no YAML: ${error.message.split('\n')[0]}`);
    }
    return numbersOf(document);
  });
}

/** The value of a document, with numbers for integers but those that a number cannot hold. */
function numbersOf(document: Document): unknown {
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'bigint' && Number.isSafeInteger(Number(node.value))) node.value = Number(node.value);
    },
    Pair: (_, { key, value }) => {
      // An API server reads bounds as numbers with a fraction.
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'bigint') return;
      if (key.value === 'minimum' || key.value === 'maximum' || key.value === 'multipleOf')
        value.value = Number(value.value);
    },
  });
  return document.toJS();
}

function crdsIn(value: unknown, path: string): readonly CustomResourceDefinition[] {
  if (!isJsonObject(value)) return [];
  const { kind, apiVersion, items, spec } = value;
  if (Array.isArray(items) && typeof kind === 'string' && kind.endsWith('List')) {
    return items.flatMap((item) => crdsIn(item, path));
  }
  if (kind !== 'CustomResourceDefinition') return [];
  if (apiVersion !== 'apiextensions.k8s.io/v1') {
    throw invalid(
      path,
      `its CustomResourceDefinition is of ${String(apiVersion)}; write it as apiextensions.k8s.io/v1`,
    );
  }
  const isWhole = isJsonObject(spec) && isJsonObject(spec['names']) && Array.isArray(spec['versions']);
  if (!isWhole) throw invalid(path, 'its CustomResourceDefinition has no spec with names and versions');
  return [value as unknown as CustomResourceDefinition];
}

function invalid(path: string, mistake: string): KubewrightError {
  return new KubewrightError('INVALID_CRD', `cannot read the CustomResourceDefinition of ${path}: ${mistake}`);
}
