// A rule of textlint that reports the misspellings in the dictionary of cspell.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@cspell/dict-en-common-misspellings'));
const corrections = new Map(
  ['en', 'en-us'].flatMap((name) => correctionsIn(join(folder, 'dict', `dict-${name}.json`))),
);
/** Words without digits that are not a part of a name. */
const WORD = /(?<![\p{L}\p{N}_'-])[a-z]{3,}(?![\p{L}\p{N}_'-])/giu;

/** Returns the entries of a dictionary: pairs of a misspelling and its corrections. */
function correctionsIn(path) {
  const { dictionaryDefinitions } = JSON.parse(readFileSync(path, 'utf8'));
  return dictionaryDefinitions
    .flatMap(({ flagWords = [], suggestWords = [] }) => [...flagWords, ...suggestWords])
    .map((entry) => entry.split('->'));
}

/** The rule. */
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
