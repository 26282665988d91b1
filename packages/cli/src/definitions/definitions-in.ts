import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { type KubewrightError, valueText } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { InvalidYamlError, parseYaml } from '@kubewright/apiserver/internal';

const VERSION = 'apiextensions.k8s.io/v1';
/** Keywords whose values an API server reads as floating-point numbers. */
const FRACTIONS: readonly string[] = ['minimum', 'maximum', 'multipleOf'];

/** Creates the error for invalid input. `place` is the file, with the line if the line is known: `crds.yaml` or `crds.yaml:3`. */
export type Refusal = (place: string, problem: string) => KubewrightError;

/**
 * Parses the CustomResourceDefinitions in YAML or JSON, including definitions in lists. Skips other objects. Parses integers outside the
 * safe range as `bigint`, except for minimum, maximum, and multipleOf.
 * @param path the path of the file for error messages
 * @param refusal creates the error if the text is not valid YAML, or if a definition has an old apiVersion or lacks names or versions
 */
export function definitionsIn(text: string, path: string, refusal: Refusal): readonly CustomResourceDefinition[] {
  return documentsOf(text, path, refusal).flatMap((value) => definitionsWithin(withFractions(value), path, refusal));
}

function documentsOf(text: string, path: string, refusal: Refusal): readonly unknown[] {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof InvalidYamlError)) throw error;
    const { line, message } = error;
    throw refusal(line === undefined ? path : `${path}:${line}`, `it is not valid YAML: ${message.split('\n')[0]}`);
  }
}

function withFractions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFractions);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => {
    const isFraction = typeof child === 'bigint' && FRACTIONS.includes(key);
    return [key, isFraction ? Number(child) : withFractions(child)];
  });
  return Object.fromEntries(entries);
}

function definitionsWithin(value: unknown, path: string, refusal: Refusal): readonly CustomResourceDefinition[] {
  if (!isJsonObject(value)) return [];
  const { kind, apiVersion, metadata, items, spec } = value;
  if (Array.isArray(items) && typeof kind === 'string' && kind.endsWith('List')) {
    return items.flatMap((item) => definitionsWithin(item, path, refusal));
  }
  if (kind !== 'CustomResourceDefinition') return [];
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? ` ${metadata['name']}` : '';
  const what = `its CustomResourceDefinition${name}`;
  if (apiVersion !== VERSION)
    throw refusal(path, `${what} has the apiVersion ${valueText(apiVersion)}; convert it to ${VERSION}`);
  const isWhole = isJsonObject(spec) && isJsonObject(spec['names']) && Array.isArray(spec['versions']);
  if (!isWhole) throw refusal(path, `${what} has no spec with names and versions`);
  return [value as unknown as CustomResourceDefinition];
}
