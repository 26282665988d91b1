import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Document, isCollection, isNode, isScalar, parseAllDocuments, type Scalar, visit } from 'yaml';
import { parseYaml } from './parse-yaml.js';

const styles: readonly Scalar.Type[] = ['BLOCK_FOLDED', 'BLOCK_LITERAL', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'];
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('a: b', '- c', '# d', '&e !f\n*g\n'),
);
const { value: content } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.nat(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

/** Writes a document with tags, anchors, comments and styles that `choose` selects. `choose(n)` returns a number below `n`. */
function written(value: unknown, choose: (count: number) => number): string {
  const document = new Document(value, { version: '1.1' });
  let anchors = 0;
  visit(document, (_key, node) => {
    if (!isNode(node)) return;
    const isText = isScalar(node) && typeof node.value === 'string';
    if (choose(3) === 0) node.anchor = `a${(anchors += 1)}`;
    if (choose(3) === 0 && (isText || isCollection(node))) {
      node.tag = `tag:yaml.org,2002:${isText ? 'str' : 'items' in node && Array.isArray(node.toJSON()) ? 'seq' : 'map'}`;
    }
    if (choose(4) === 0) node.comment = ' after &b !c "';
    if (choose(4) === 0) node.commentBefore = " before - d: 'e";
    if (isText) node.type = styles[choose(styles.length)] ?? 'PLAIN';
    if (isCollection(node)) node.flow = choose(3) === 0;
  });
  return document.toString({ lineWidth: choose(2) === 0 ? 0 : 20, directives: choose(2) === 0 });
}

test('parses every valid text with tags, anchors, comments and quotes like the library', () => {
  const documents = fc.array(fc.tuple(content, fc.infiniteStream(fc.nat())), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(documents, (chosen) => {
      const texts = chosen.map(([value, numbers]) => written(value, (count) => Number(numbers.next().value) % count));
      const all = texts.map((each) => (each.startsWith('%') ? each : `---\n${each}`)).join('...\n');
      const expected = parseAllDocuments(all, { version: '1.1', uniqueKeys: false, logLevel: 'error' });
      fc.pre(expected.every(({ errors }) => errors.length === 0));
      assert.deepEqual(
        parseYaml(all, { uniqueKeys: false }),
        expected.map((each) => each.toJS() as unknown),
      );
    }),
    { numRuns: 300 },
  );
});
