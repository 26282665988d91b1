// Extracts the prose from comments in TypeScript and JavaScript. Comments are Markdown with JSDoc tags.
import { markdownTexts } from './markdown-texts.mjs';

/** Matches comments without prose: compiler directives, lint directives, and references (`/// <reference …>`). */
const DIRECTIVE = /^\/|^\s*(@ts-|biome-|oxlint-|eslint-|#(region|endregion))/;

/** Matches a JSDoc tag at the start of a line, with the type and the parameter name after the tag. */
const TAG = /^@(?:(?:param|template|property)\s+(?:\{[^}]*\}\s*)?[\w.]+|\w+(?:\s*\{[^}]*\})?)\s*/;

/** Returns the texts in the comments of a source. Combines line comments on consecutive lines. */
export function commentTexts(source, comments, lineAt) {
  const texts = [];
  let block = [];
  const flush = () => {
    if (block.length > 0) texts.push(...textsIn(block));
    block = [];
  };
  for (const { type, value, start } of comments) {
    const line = lineAt(start);
    if (type === 'Block') {
      flush();
      block = blockLines(value, line);
      flush();
    } else if (!DIRECTIVE.test(value)) {
      const isAlone = source.slice(source.lastIndexOf('\n', start) + 1, start).trim() === '';
      if (!isAlone || block.at(-1)?.line !== line - 1) flush();
      block.push({ text: value.replace(/^ /, ''), line });
      if (!isAlone) flush();
    }
  }
  flush();
  return texts;
}

function blockLines(value, line) {
  return value
    .replace(/^\*/, '')
    .split('\n')
    .map((text, at) => ({ text: text.replace(/^\s*\* ?|^ /, ''), line: line + at }));
}

function textsIn(block) {
  const lines = [];
  let isExample = false;
  for (const { text, line } of block) {
    const [tag] = TAG.exec(text) ?? [];
    if (tag !== undefined) isExample = tag.startsWith('@example');
    if (isExample) continue;
    // Separates the text of a tag from the previous text with an empty line.
    if (tag !== undefined) lines.push({ text: '', line });
    lines.push({ text: text.slice(tag?.length ?? 0).replaceAll(/\{@\w+ ([^}]*)\}/g, '`$1`'), line });
  }
  return markdownTexts(
    lines.map(({ text }) => text).join('\n'),
    'comment',
    (index) => lines[index]?.line ?? lines.at(-1).line,
  );
}
