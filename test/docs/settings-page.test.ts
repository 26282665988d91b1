import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Manager } from '@kubewright/runtime';
import { controllerSettings, MANAGER_SETTINGS, type Setting } from '@kubewright/runtime/internal';

const page = readFileSync(new URL('../../../docs/reference/settings.md', import.meta.url), 'utf8');

/** Matches a row of the page, of the form: - `name` (`VARIABLE`, `--flag`; values; default …): Meaning. The default is a group. */
const row = /^- (`[\w.]+` \(`KUBEWRIGHT_\w+`, .+?); default (.+?)\): [A-Z].+\.$/gm;
const rows = [...page.matchAll(row)].map(([, head = '', byDefault = '']) => ({ head, byDefault }));

function headOf({ name, variable, flag, aliases, value }: Setting): string {
  const flags = [flag, ...aliases].map((each) => `\`${each}\``).join(', ');
  return `\`${name}\` (\`${variable}\`, ${flags}; ${value.allowed}`;
}
/** The settings of one controller, with NAME as the name of the controller. */
const ofController = controllerSettings('NAME').map((setting) => ({
  ...setting,
  name: setting.name.replace('controller.NAME.', ''),
}));

test('the page about settings lists the option, variable, flags and values of every setting, in order, and no other setting', () => {
  assert.deepEqual(
    rows.map(({ head }) => head),
    [...MANAGER_SETTINGS, ...ofController].map(headOf),
  );
  assert.equal(
    rows.length,
    [...page.matchAll(/^- `/gm)].length,
    'a line of the page does not have the format of a row',
  );
});

test('the page about settings lists the defaults of a manager', () => {
  const manager = new Manager({ settings: { env: {}, args: [] } });
  const known = manager.settings().filter(({ value }) => value !== undefined && value !== false);
  for (const { name, value } of known) {
    const reported = rows.find(({ head }) => head.startsWith(`\`${name}\` `))?.byDefault;
    assert.equal(reported, `\`${Array.isArray(value) ? value.join(',') : String(value)}\``, name);
  }
});
