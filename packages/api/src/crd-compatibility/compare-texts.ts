import { sameJson } from '../schema/json-shape.js';
import type { LocalFinding } from './compatibility-finding.js';
import { type SchemaPair, widened } from './schema-pair.js';

const TEXTS = ['title', 'description', 'example', 'externalDocs'] as const;

/** Returns the changes of the documentation in a schema. */
export function compareTexts(pair: SchemaPair): readonly LocalFinding[] {
  const changed = TEXTS.filter((key) => !sameJson(pair.before[key], pair.after[key]));
  if (changed.length === 0) return [];
  return [widened(pair, changed.join(', '), 'documentation does not affect validation')];
}
