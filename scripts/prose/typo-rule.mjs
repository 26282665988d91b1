// A textlint rule that reports words in cspell's dictionary of common misspellings.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@cspell/dict-en-common-misspellings'));
const corrections = new Map(
  ['en', 'en-us'].flatMap((name) => correctionsIn(join(folder, 'dict', `dict-${name}.json`))),
);
/** Matches words that are not part of an identifier or of a compound with digits, hyphens, or apostrophes. */
const WORD = /(?<![\p{L}\p{N}_'-])[a-z]{3,}(?![\p{L}\p{N}_'-])/giu;

/** Reads a dictionary. Returns pairs of a misspelled word and the corrections. */
function correctionsIn(path) {
  const { dictionaryDefinitions } = JSON.parse(readFileSync(path, 'utf8'));
  return dictionaryDefinitions
    .flatMap(({ flagWords = [], suggestWords = [] }) => [...flagWords, ...suggestWords])
    .map((entry) => entry.split('->'));
}

/** The textlint rule. */
export function typoRule({ Syntax, RuleError, report, getSource, locator }) {
  return {
    [Syntax.Str](node) {
      for (const { 0: word, index } of getSource(node).matchAll(WORD)) {
        const correction = corrections.get(word.toLowerCase());
        if (correction === undefined) continue;
        const padding = locator.range([index, index + word.length]);
        report(node, new RuleError(`write "${correction}"`, { padding }));
      }
    },
  };
}
