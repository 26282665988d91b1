// Extracts the texts from TypeScript and JavaScript sources: comments, test titles, and messages.
import { parseSync } from 'oxc-parser';
import { commentTexts } from './comment-texts.mjs';
import { TextBuilder } from './text-builder.mjs';

/** The names of functions whose first argument is a test title. */
const TITLED = new Set(['test', 'it', 'describe', 'suite']);
/** Matches a text with two consecutive words, because single words are usually not messages. */
const PROSE = /\p{L}{2,}[,;:]? \p{L}{2,}/u;
/** Matches a line of code, for example in a template of a source file or shell script. */
const CODE =
  /=>|&&|\|\||[;{}]$|^\s*(import|export|const|let|local|return|if \[|for \(|case|done|fi|FROM|RUN|COPY|ENV)\b|^\s*[\w.-]+: [\w'"{[]*$/;

/** Returns the texts in a source: comments, and test titles if `isTest` is true or messages otherwise. */
export function sourceTexts(path, source, { isTest }) {
  const { program, comments } = parseSync(path, source);
  const lineAt = lineFinder(source);
  const texts = commentTexts(source, comments, lineAt);
  visit(program, undefined, (node, parent) => {
    if (isTest && node.type === 'CallExpression') texts.push(...titlesOf(node, { source, lineAt }));
    if (!isLiteralText(node)) return true;
    if (!isTest && !isData(parent)) texts.push(...messagesIn(node, { source, lineAt }));
    return node.type !== 'Literal';
  });
  return texts;
}

function lineFinder(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Calls `enter` for a node and all nodes below it, except imports. If `enter` returns false, skips the children of the node. */
function visit(node, parent, enter) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, parent, enter);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') {
    if (node.type === 'ImportDeclaration') return;
    if (!enter(node, parent)) return;
  }
  for (const key in node) {
    if (key !== 'type' && key !== 'start' && key !== 'end') visit(node[key], node, enter);
  }
}

/** Returns the name of a called function: `test` for `test(…)`, `test.skip(…)`, and `t.test(…)`. */
function nameOf(callee) {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression') return undefined;
  const object = nameOf(callee.object);
  return TITLED.has(object) ? object : callee.property.name;
}

function isLiteralText({ type, value }) {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

/** Reports whether a string literal with this parent is data: a key, a tagged template, or a word list such as `'a b'.split(' ')`. */
function isData(parent) {
  return parent?.type === 'TaggedTemplateExpression' || parent?.type === 'MemberExpression';
}

/** Returns the title in a call of a test function. For `contract(…)`, returns the titles of the cases: the keys of the last argument. */
function titlesOf({ callee, arguments: args }, context) {
  const name = nameOf(callee);
  if (name === 'contract') {
    const keys = (args.at(-1)?.properties ?? []).map(({ key }) => key);
    return keys.flatMap((key) => titleOf(key, context));
  }
  return TITLED.has(name) ? titleOf(args[0], context) : [];
}

function titleOf(node, context) {
  if (node === undefined || !isLiteralText(node)) return [];
  const builder = new TextBuilder();
  for (const { text, code, line } of piecesOf(node, context)) {
    if (code === undefined) builder.prose(text, line);
    else builder.code(code, line);
  }
  const title = builder.build('title');
  return title === undefined ? [] : [title];
}

/** Returns the lines of a string literal that contain prose. */
function messagesIn(node, context) {
  const messages = [];
  let builder = new TextBuilder();
  const flush = () => {
    const message = builder.build('message');
    builder = new TextBuilder();
    if (message !== undefined && PROSE.test(message.text) && !CODE.test(message.text)) messages.push(message);
  };
  for (const { text, code, line } of piecesOf(node, context)) {
    if (code !== undefined) {
      builder.code(code, line);
      continue;
    }
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) flush();
      builder.prose(part, line);
    }
  }
  flush();
  return messages;
}

/** Splits a string literal into one text for each line and, for a template literal, the source code of each expression. */
function piecesOf(node, { source, lineAt }) {
  if (node.type === 'Literal') return [{ text: node.value, line: lineAt(node.start) }];
  return node.quasis.flatMap((quasi, at) => {
    const start = lineAt(quasi.start);
    const pieces = quasi.value.raw
      .split('\n')
      .map((raw, index) => ({ text: `${index === 0 ? '' : '\n'}${unescaped(raw)}`, line: start + index }));
    const expression = node.expressions[at];
    if (expression === undefined) return pieces;
    return [...pieces, { code: source.slice(expression.start, expression.end), line: lineAt(expression.start) }];
  });
}

function unescaped(raw) {
  return raw.replaceAll(/\\(.)/gs, (_, character) => ({ n: '\n', t: ' ', r: '' })[character] ?? character);
}
