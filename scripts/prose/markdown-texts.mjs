// Extracts the prose from Markdown: paragraphs, headings, list items, and table cells, but not code blocks and HTML blocks.
import MarkdownIt from 'markdown-it';
import { TextBuilder } from './text-builder.mjs';

const markdown = new MarkdownIt({ html: true });

/** Returns the texts in Markdown. `lineOf` converts the index of a line in `source` to the line number in the file. */
export function markdownTexts(source, kind = 'markdown', lineOf = (index) => index + 1) {
  const texts = [];
  let row = 0;
  for (const { type, map, children } of markdown.parse(source, {})) {
    if (type === 'tr_open') row = map[0];
    if (type !== 'inline') continue;
    const text = inlineText(children, kind, (at) => lineOf((map?.[0] ?? row) + at));
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

function inlineText(tokens, kind, lineOf) {
  const builder = new TextBuilder();
  let at = 0;
  for (const { type, content } of tokens) {
    if (type === 'softbreak' || type === 'hardbreak') {
      at += 1;
      builder.prose(' ', lineOf(at));
    } else if (type === 'code_inline' || type === 'html_inline') {
      builder.code(content, lineOf(at));
    } else if (type === 'text' || type === 'text_special' || type === 'image') {
      builder.prose(content, lineOf(at));
    }
  }
  return builder.build(kind);
}
