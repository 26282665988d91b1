import { createRequire } from 'node:module';
import { messageOf } from '@kubewright/api/errors';
import type { Tags } from 'yaml';
import { InvalidYamlError } from './invalid-yaml-error.js';
import { isYamlTooDeep } from './yaml-depth.js';

const require = createRequire(import.meta.url);
const TAG = 'tag:yaml.org,2002:';
/** What a 64-bit integer can be, signed or not; beyond it Kubernetes reads a number with a fraction. */
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n];

/** How a text is read. */
export interface ParseYamlOptions {
  /** Whether a key that an object has twice is refused; otherwise the last one counts. @default true */
  readonly uniqueKeys?: boolean;
}

/**
 * The documents of a text, YAML or JSON, as kubectl and kube-apiserver read it: by YAML 1.1, in which `on` is true and `0644` octal, but
 * `2026-01-01` and `12:30` are strings. An integer that a number cannot hold exactly is a `bigint`. An empty document is null.
 *
 * @throws InvalidYamlError for a text that is no YAML, saying where
 */
export function parseYaml(text: string, { uniqueKeys = true }: ParseYamlOptions = {}): readonly unknown[] {
  if (isYamlTooDeep(text)) throw new InvalidYamlError('exceeded max depth');
  // Loaded when there is something to read, which in most servers and tests there is not.
  const { parseAllDocuments } = require('yaml') as typeof import('yaml');
  try {
    const documents = parseAllDocuments(text, {
      version: '1.1',
      intAsBigInt: true,
      uniqueKeys,
      customTags: kubernetesTags,
    });
    return [...documents].map((document) => {
      const [mistake] = document.errors;
      if (mistake === undefined) return narrowed(document.toJS());
      throw new InvalidYamlError(mistake.message, { line: mistake.linePos?.[0].line, cause: mistake });
    });
  } catch (cause) {
    // It has too many aliases.
    if (cause instanceof ReferenceError) throw new InvalidYamlError(messageOf(cause), { cause });
    throw cause;
  }
}

/** The tags of YAML 1.1, without those that Kubernetes has no values for, and with an octal number that it also knows. */
function kubernetesTags(tags: Tags): Tags {
  const known = tags.filter((tag) => {
    if (typeof tag === 'string') return true;
    return tag.tag !== `${TAG}timestamp` && tag.tag !== `${TAG}binary` && !('format' in tag && tag.format === 'TIME');
  });
  return [
    ...known,
    { tag: `${TAG}int`, default: true, test: /^[-+]?0o[0-7_]+$/, resolve: octal },
    { tag: `${TAG}binary`, resolve: (text: string) => Buffer.from(text, 'base64').toString() },
  ];
}

function octal(text: string): bigint {
  const value = BigInt(text.replace(/^[-+]/, '').replaceAll('_', ''));
  return text.startsWith('-') ? -value : value;
}

/** The value with numbers for the integers that a number holds exactly, and for those beyond 64 bits. */
function narrowed(value: unknown): unknown {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) || value < LEAST || value > MOST ? Number(value) : value;
  }
  if (Array.isArray(value)) return value.map(narrowed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, narrowed(child)]));
}
