import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proseOf } from './doc-comment.js';

describe('the prose of a doc comment', () => {
  it('the prose of a doc comment has one line for each paragraph, and an empty line between paragraphs', () => {
    const comment = ['', '   * The image to', '   *   boot from.', '   *', '   *', '   * Signed.', '   '].join('\n');
    assert.equal(proseOf(comment), 'The image to boot from.\n\nSigned.');
    assert.equal(proseOf(' One line. '), 'One line.');
    assert.equal(proseOf(' Of Windows\r\n * too.\r\n '), 'Of Windows too.');
  });
  it('the prose of a doc comment preserves the line breaks of lists, tables, and code blocks', () => {
    const lines = [
      'Either',
      '- one that goes',
      '  on, or',
      '- another',
      '',
      '1. first',
      '| a | b |',
      '| - | - |',
      'Then:',
    ];
    assert.equal(
      proseOf([...lines, '```yaml', 'a:', '  - b', '', '  # @c', '```', 'and', 'so on'].join('\n')),
      'Either\n- one that goes on, or\n- another\n\n1. first\n| a | b |\n| - | - |\nThen:\n```yaml\na:\n  - b\n\n  # @c\n```\nand so on',
    );
  });
  it('the prose of a doc comment excludes all block tags except @remarks and @deprecated', () => {
    const lines = [
      'Size.',
      '@default 1',
      'of it',
      '@remarks In GiB,',
      'that is.',
      '@example',
      'x',
      '@deprecated Use disks.',
    ];
    assert.equal(proseOf(lines.join('\n * ')), 'Size.\n\nIn GiB, that is.\n\nDeprecated: Use disks.');
    assert.equal(proseOf(' @internal '), undefined);
    assert.equal(proseOf(' @deprecated '), 'Deprecated:');
    assert.equal(proseOf('  '), undefined);
  });
  it('the prose of a doc comment contains the text or the target of a link', () => {
    assert.equal(
      proseOf('See {@link Disk}, {@link Disk.size | its size}, {@link https://a.b docs} and {@linkcode Host}.'),
      'See Disk, its size, docs and Host.',
    );
    assert.equal(
      proseOf('a\\@b.c and \\{x\\} and mail@example.com{@inheritDoc}'),
      'a@b.c and {x} and mail@example.com',
    );
    assert.equal(proseOf('At *\\/5 * * * *.'), 'At */5 * * * *.');
  });
});
