import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMetrics } from './parse-metrics.js';

const right = `# any comment

# HELP requests_total Requests, \\\\ and \\n.
# TYPE requests_total counter
requests_total{code="200",method="a\\"b"} 3 1700000000000
requests_total{code="500",method="",} 1e+06
# TYPE seconds histogram
# HELP seconds How long.
seconds_bucket{le="0.1"} 1
seconds_bucket{le="+Inf"} 2
seconds_sum 0.5
seconds_count 2
# TYPE up gauge
up NaN
`;

test('parses the Prometheus text format', () => {
  const families = parseMetrics(right);
  assert.deepEqual([...families.keys()], ['requests_total', 'seconds', 'up']);
  assert.equal(families.get('requests_total')?.help, 'Requests, \\ and \n.');
  assert.deepEqual(families.get('requests_total')?.samples[0], {
    name: 'requests_total',
    labels: { code: '200', method: 'a"b' },
    value: 3,
  });
});

test('rejects text that violates the grammar or the rules of the Prometheus text format', () => {
  const wrong: readonly (readonly [RegExp, string])[] = [
    [/does not end with a line feed/, '# TYPE a gauge\na 1'],
    [/not a sample/, '# TYPE a gauge\na  1\n'],
    [/not a number/, '# TYPE a gauge\na x\n'],
    [/not a number/, '# TYPE a gauge\na 1,5\n'],
    [/not valid labels/, '# TYPE a gauge\na{b=1} 1\n'],
    [/not valid labels/, '# TYPE a gauge\na{b="\\x"} 1\n'],
    [/not valid labels/, '# TYPE a gauge\na{b="1"c="2"} 1\n'],
    [/duplicate label/, '# TYPE a gauge\na{b="1",b="2"} 1\n'],
    [/duplicate series/, '# TYPE a gauge\na{b="1",c="2"} 1\na{c="2",b="1"} 1\n'],
    [/separated from the TYPE/, 'a 1\n'],
    [/separated from the TYPE/, '# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\na{x="y"} 1\n'],
    [/not contiguous/, '# TYPE a gauge\n# TYPE b gauge\n# HELP a x\n'],
    [/separated from the TYPE/, '# TYPE a counter\na_bucket{le="1"} 1\n'],
    [/duplicate TYPE/, '# TYPE a gauge\n# TYPE a gauge\n'],
    [/duplicate HELP/, '# HELP a x\n# HELP a x\n'],
    [/unknown type/, '# TYPE a number\n'],
    [/follows samples/, '# TYPE a gauge\na 1\n# HELP a x\n'],
    [/no TYPE/, '# HELP a x\n'],
    [/invalid escape sequence/, '# HELP a \\t\n# TYPE a gauge\n'],
    [/neither HELP nor TYPE/, '# TYPE 1a gauge\n'],
    [/negative/, '# TYPE a counter\na -1\n'],
    [
      /do not increase/,
      '# TYPE a histogram\na_bucket{le="2"} 1\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
    [/do not increase/, '# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n'],
    [/do not increase/, '# TYPE a histogram\na_bucket{le="1"} 2\na_sum 1\na_count 2\n'],
    [/a count that differs/, '# TYPE a histogram\na_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n'],
    [/no sum/, '# TYPE a histogram\na_bucket{le="+Inf"} 1\na_count 1\n'],
  ];
  for (const [message, text] of wrong)
    assert.throws(() => parseMetrics(text), { code: 'INVALID_METRICS', message }, text);
});
