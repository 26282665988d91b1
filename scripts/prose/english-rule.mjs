// A textlint rule that checks articles, repeated words, and contractions without an apostrophe with the plugins of retext.
import { unified } from 'unified';
import { VFile } from 'vfile';
import retextContractions from 'retext-contractions';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';

const checker = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextRepeatedWords)
  .use(retextContractions, { straight: true })
  .freeze();
/**
 * Matches texts with a possible error: an article, a repeated word, or a contraction. Only these texts are parsed, because parsing all
 * texts would take a quarter of the time of the check.
 */
const CANDIDATE = new RegExp(
  [
    /\b[Aa]n (?![aeioAEIO`])|\b[Aa]n (?:eu|Eu|one\b|once\b)/,
    /\b[Aa] (?:[aeiouAEIOU8]|1[18]|h|[A-Z]+\b)/,
    /\b(\w+) \1\b|\b[Tt]he [Tt]he\b/,
    /’|\b(?:ai|are|ca|could|did|does|do|had|has|have|is|might|must|need|should|was|were|wo|would)nt\b/,
    /\b(?:(?:they|we|you)ve|(?:they|you)(?:ll|re|d)|I[dm]|thats|theres|whats)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
);
/**
 * Matches findings about words for which the plugin requires the wrong article. The correct forms are "a UID", "a uint", and "an HTTP
 * proxy".
 */
const SPOKEN = /before `(?:uid|uint|https?)\w*`/i;

/** The textlint rule. Checks each line of the document separately, because each line is one text. */
export function englishRule({ Syntax, RuleError, report, getSource, locator }) {
  return {
    async [Syntax.Str](node) {
      let start = 0;
      for (const line of getSource(node).split('\n')) {
        for (const { reason, place } of CANDIDATE.test(line) ? await messagesFor(line) : []) {
          const range = locator.range([start + place.start.offset, start + place.end.offset]);
          report(node, new RuleError(reason, { padding: range }));
        }
        start += line.length + 1;
      }
    },
  };
}

async function messagesFor(line) {
  const file = new VFile(line);
  await checker.run(checker.parse(file), file);
  return file.messages.filter(({ reason }) => !SPOKEN.test(reason));
}
