import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCron } from './cron-format.js';

test('parseCron returns the values of each field', () => {
  const cases = {
    '*/20 22-23 1,15 jan-Mar Mon': '0,20,40 22,23 1,15 1,2,3 1',
    '50/5 ? * * 5-6': '50,55 * * * 5,6',
    '  5,5,  0  *  *  sun ': '5 0 * * 0',
    ' 5,5,1-2 0 * * 0 ': '1,2,5 0 * * 0',
    '*/70 0 31 2 *': '0 0 31 2 *',
    '@midnight': '0 0 * * *',
    '@yearly': '0 0 1 1 *',
  };
  for (const [schedule, fields] of Object.entries(cases)) {
    assert.deepEqual(parseCron(schedule), { fields }, schedule);
  }
});

test('parseCron returns intervals in whole seconds, with a minimum of one second', () => {
  const cases = {
    '@every 1h30m': 5400,
    '@every 1.5h': 5400,
    '@every .5h': 1800,
    '@every 2500ms': 2,
    '@every 0': 1,
    '@every 10ns': 1,
  };
  for (const [schedule, everySeconds] of Object.entries(cases)) {
    assert.deepEqual(parseCron(schedule), { everySeconds }, schedule);
  }
});

test('parseCron throws an error that names the invalid field', () => {
  const cases = {
    '60 * * * *': /the minute "60" is not a value, range or step from 0 to 59/,
    '* 22-2 * * *': /the hour "22-2"/,
    '* * 0 * *': /the day of month "0"/,
    '* * L * *': /the day of month "L"/,
    '* * * foo *': /the month "foo"/,
    '* * * * 7': /the day of week "7"/,
    '*/0 * * * *': /the minute "\*\/0"/,
    ', * * * *': /the minute ","/,
    '* * * *': /must have five fields/,
    '* * * * * *': /must have five fields/,
    '': /must have five fields/,
    '@hourly ': /must have five fields/,
    '@reboot': /must have five fields/,
    '@every': /must have an interval with units/,
    '@every 10': /must have an interval with units/,
    '@every 1d': /must have an interval with units/,
  };
  for (const [schedule, message] of Object.entries(cases)) {
    assert.throws(() => parseCron(schedule), { message }, schedule);
  }
});
