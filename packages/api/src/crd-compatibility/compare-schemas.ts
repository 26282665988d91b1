import type { LocalFinding } from './compatibility-finding.js';
import { compareAlternatives } from './compare-alternatives.js';
import { compareBounds } from './compare-bounds.js';
import { compareLists } from './compare-lists.js';
import { compareMaps } from './compare-maps.js';
import { compareRules } from './compare-rules.js';
import { compareTexts } from './compare-texts.js';
import { compareTypes } from './compare-types.js';
import { compareValues } from './compare-values.js';
import type { SchemaPair } from './schema-pair.js';

/** Returns the differences between two schemas of the same values, and their effects on the values. */
export function compareSchemas(pair: SchemaPair): readonly LocalFinding[] {
  if (pair.before === pair.after) return [];
  const { findings, comparable } = compareTypes(pair);
  if (!comparable) return findings;
  return [
    ...findings,
    ...compareValues(pair),
    ...compareBounds(pair),
    ...compareAlternatives(pair),
    ...compareRules(pair),
    ...compareLists(pair, compareSchemas),
    ...compareMaps(pair, compareSchemas),
    ...compareTexts(pair),
  ];
}
