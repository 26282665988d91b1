import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdownPages } from './markdown-pages.js';

/** Number of characters in the longest line that the site shows without a scroll bar in a window that is 1280 px wide. */
const LONGEST = 121;
const hidden = /^<!-- ts\n[^]*?^-->$/gm;
const fenced = /^```\w*\n([^]*?)^```$/gm;

test(`no line of code on a page of the site has more than ${LONGEST} characters`, () => {
  const pages = markdownPages().filter(({ path }) => path.startsWith('docs/') && !path.startsWith('docs/decisions/'));
  const lines = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(hidden, '').matchAll(fenced)].flatMap(([, code = '']) =>
      code.split('\n').map((line) => ({ path, line })),
    ),
  );
  assert.ok(lines.length > 1000);
  assert.deepEqual(
    lines.filter(({ line }) => line.length > LONGEST),
    [],
  );
});
