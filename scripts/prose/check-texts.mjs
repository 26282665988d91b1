// Checks texts with textlint.
import { TextlintKernel } from '@textlint/kernel';
import pattern from '@textlint-rule/textlint-rule-pattern';
import { englishRule } from './english-rule.mjs';
import { GLOSSARY, REFERENCE, SPELLING } from './glossary.mjs';
import { GRAMMAR } from './grammar.mjs';
import { lineAt } from './text-builder.mjs';
import { typoRule } from './typo-rule.mjs';

/** Matches code in a text, which the rules do not check. */
const CODE = new RegExp(
  [
    '`[^`]*`',
    // A quoted word or a quoted command.
    /(?<![\w)])(["'])(?:(?:apt-get|git|kubectl|kubewright|node|npm|npx|tsc) [^"']+|[^\s"']+)\1/.source,
    // An option of a command with its value.
    /(?<=^|[\s([])--?[A-Za-z][\w-]*(?:[ =](?:[A-Z][A-Z0-9_./-]*\b|<[^>]*>))?/.source,
    // A word with dots or slashes: package.json, apps/v1.
    /(?<![\w.])[\w-]+(?:[./][\w-]+)+/.source,
  ].join('|'),
  'g',
);
const kernel = new TextlintKernel();

/** Checks texts. Returns the findings in the order of the texts, each with the path, line, rule, message, and text. */
export async function checkTexts(texts) {
  const found = [];
  for (const isReference of [false, true]) {
    const checked = texts.filter(({ path }) => path.startsWith('docs/reference/') === isReference);
    found.push(...(await lint(checked, rulesFor(isReference))));
  }
  const order = new Map(texts.map((text, at) => [text, at]));
  return found.toSorted((a, b) => order.get(a.text) - order.get(b.text));
}

function rulesFor(isReference) {
  const glossary = isReference ? [...GLOSSARY, ...REFERENCE] : GLOSSARY;
  return [
    patternRule('glossary', glossary),
    patternRule('spelling', SPELLING),
    patternRule('grammar', GRAMMAR),
    { ruleId: 'english', rule: englishRule },
    { ruleId: 'typo', rule: typoRule },
  ];
}

function patternRule(ruleId, entries) {
  const patterns = entries.map(({ pattern: { source, flags }, allows = [], advice }) => ({
    pattern: `/${source}/${flags.replace('g', '')}gm`,
    allows: allows.map(String),
    message: advice,
  }));
  return { ruleId, rule: pattern.default ?? pattern, options: { patterns } };
}

/** Checks all texts as one document with one line for each text, because a separate document for each text takes much longer. */
async function lint(texts, rules) {
  if (texts.length === 0) return [];
  const lines = texts.map(({ text }) => text.replaceAll(CODE, maskedCode));
  const { messages } = await kernel.lintText(lines.join('\n'), { ext: '.texts', plugins: [PLUGIN], rules });
  return messages.map(({ ruleId, message, line, column, range }) => {
    const text = texts[line - 1];
    const start = column - 1;
    const part = text.text.slice(start, start + range[1] - range[0]);
    return {
      path: text.path,
      line: lineAt(text, start),
      kind: text.kind,
      rule: ruleId,
      message: saying(part, message),
      text,
    };
  });
}

/** Replaces code with underscores in backticks. Does not change the length, so that the positions of findings are correct. */
function maskedCode(code) {
  return `\`${'_'.repeat(code.length - 2)}\``;
}

function saying(part, message) {
  return message.includes(part) ? message : `"${part}": ${message}`;
}

/** The textlint plugin that parses a text as a document with one paragraph. */
const PLUGIN = {
  pluginId: 'texts',
  plugin: {
    Processor: class {
      availableExtensions() {
        return ['.texts'];
      }

      processor() {
        return { preProcess: documentOf, postProcess: (messages) => ({ messages, filePath: 'texts' }) };
      }
    },
  },
};

function documentOf(text) {
  const lines = text.split('\n');
  const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1).length } };
  const place = { raw: text, range: [0, text.length], loc };
  const string = { type: 'Str', value: text, ...place };
  return { type: 'Document', ...place, children: [{ type: 'Paragraph', ...place, children: [string] }] };
}
