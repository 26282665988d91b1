import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveView } from './live-view.js';

/** Creates a view. Returns the view, and the lines that the view prints, without the times. */
function shown() {
  const lines: string[] = [];
  const view = new LiveView([], (text) =>
    lines.push(
      text
        .replace(/^ *[\d.]+s {2}/, '')
        .replaceAll(/ {2,}/g, ' ')
        .trimEnd(),
    ),
  );
  return { view, lines };
}

test('LiveView prints a repeated problem of an object once, and again if it recurs after a successful reconcile', () => {
  const { view, lines } = shown();
  const log = view.logger.with({ object: 'Foo default/a', causes: ['retry (attempt 3)'] });
  const fail = (): void => log.error('reconcile failed; trying again', { error: new Error('no luck') });
  fail();
  log.warn('cannot write the condition Reconciled', { error: new Error('no luck') });
  fail();
  view.logger
    .with({ object: 'Foo default/b' })
    .error('reconcile failed; trying again', { error: new Error('no luck') });
  log.debug('reconciled', { result: 'done' });
  fail();
  assert.deepEqual(lines, [
    'default/a error: reconcile failed; trying again: no luck',
    'default/a warning: cannot write the condition Reconciled: no luck',
    'default/b error: reconcile failed; trying again: no luck',
    'default/a reconciled; cause: retry (attempt 3)',
    'default/a error: reconcile failed; trying again: no luck',
  ]);
});

test('LiveView prints a line when the API server stops responding, and when it responds again', () => {
  const { view, lines } = shown();
  view.logger.error('the API server is not responding', { outage: 'begin' });
  view.logger.info('the API server is responding again', { outage: 'end' });
  view.logger.warn('cannot watch pods; trying again', { code: 'FORBIDDEN' });
  assert.deepEqual(lines, [
    'warning: the operator cannot watch: the API server is not responding',
    'the operator is connected to the API server again',
    'warning: cannot watch pods; trying again',
  ]);
});
