import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  CHANNELS_IN_A_RUN,
  CHANNELS_OF_LINES,
  CHANNELS_OF_OBJECTS,
  CHANNELS_OF_TEXT,
  closeChannels,
  openChannels,
} from './channels.js';
import { hitsIn, KNOWN_TEXTS, marked, markOf, OBJECTS, PLAIN, TEXTS } from './forms.js';

before(openChannels);
after(closeChannels);

const LINES = Object.fromEntries(Object.entries(TEXTS).filter(([, text]) => !text.includes('\n')));

describe('no channel reveals a secret', { timeout: 300_000 }, () => {
  for (const [channel, { forms, outputOf }] of [
    ...Object.entries(CHANNELS_OF_TEXT).map(([name, outputOf]) => [name, { forms: TEXTS, outputOf }] as const),
    ...Object.entries(CHANNELS_OF_LINES).map(([name, outputOf]) => [name, { forms: LINES, outputOf }] as const),
    ...Object.entries(CHANNELS_IN_A_RUN).map(
      ([name, outputOf]) => [name, { forms: { ...TEXTS, ...KNOWN_TEXTS }, outputOf }] as const,
    ),
  ]) {
    for (const [form, text] of Object.entries(forms)) {
      test(`the secret in ${form} is masked in the ${channel}`, async () => {
        const output = await outputOf(marked(form, text));
        const [begins, ends] = ['begins', 'ends'].map((end) => output.includes(`mark-${markOf(form)}-${end}`));
        assert.ok(
          begins && (ends || form.startsWith('a truncated ')),
          `the output does not contain the text: ${output}`,
        );
        assert.deepEqual(hitsIn(output), [], output);
        assert.ok(output.includes('***'), 'the mask does not replace the secret');
      });
    }
  }
  for (const [channel, outputOf] of Object.entries(CHANNELS_OF_OBJECTS)) {
    for (const [form, object] of Object.entries(OBJECTS)) {
      test(`the secret in ${form} is masked in the ${channel}`, async () => {
        const output = await outputOf(object);
        assert.ok(output.includes(object.metadata.name), `the output does not contain the object: ${output}`);
        assert.deepEqual(hitsIn(output), [], output);
      });
    }
  }
});

test('hitsIn finds a secret in every form', () => {
  for (const text of [...Object.values(TEXTS), ...Object.values(KNOWN_TEXTS)]) assert.notDeepEqual(hitsIn(text), []);
  for (const object of Object.values(OBJECTS)) assert.notDeepEqual(hitsIn(JSON.stringify(object)), []);
  assert.notDeepEqual(hitsIn(Buffer.from(PLAIN).toString('base64url')), []);
});
