// node scripts/trace-picture.mjs: runs examples/virtual-machine with tracing, and generates docs/guides/one-change.svg from the spans.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { root, setUp } from './setup.mjs';

setUp();
const CHANGES = 31;
const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));

const { kinds, controllers, samples } = await import('../examples/virtual-machine/dist/example.js');
const { TestEnvironment } = await import('../packages/testing/dist/index.js');

const folder = join(root, 'docs', 'guides');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'one-change.svg'), picture(await spansOfOneChange()));

/**
 * Creates machines one after the other, and records the spans of the first reconcile of each machine. Returns the spans of the machine with
 * the median duration.
 */
async function spansOfOneChange() {
  const env = await TestEnvironment.start({ kinds });
  await env.run(...controllers);
  const changes = [];
  for (let at = 0; at < CHANGES; at++) {
    exporter.reset();
    await env.client.create({ ...samples[0], metadata: { name: `web-${at}`, namespace: 'default' } });
    await env.settled();
    changes.push(spansOfFirstRun(exporter.getFinishedSpans()));
  }
  await env[Symbol.asyncDispose]();
  return changes.toSorted((a, b) => lengthOf(a) - lengthOf(b))[Math.floor(CHANGES / 2)];
}

function spansOfFirstRun(finished) {
  const spans = finished.toSorted((a, b) => startOf(a) - startOf(b));
  const run = spans.find(({ name }) => name.startsWith('reconcile '));
  const linked = new Set(run.links.map((link) => link.context.spanId));
  return [
    ...spans.filter((span) => linked.has(span.spanContext().spanId)),
    run,
    ...spans.filter((span) => span.parentSpanContext?.spanId === run.spanContext().spanId),
  ];
}
function lengthOf(spans) {
  return Math.max(...spans.map(endOf)) - Math.min(...spans.map(startOf));
}

/** Returns an SVG with a bar for each span on a common time axis. */
function picture(spans) {
  const [left, width, row, top] = [400, 500, 30, 58];
  const begin = Math.min(...spans.map(startOf));
  const length = lengthOf(spans);
  const x = (ms) => left + (ms / length) * width;
  const step = [0.5, 1, 2, 5, 10, 20, 50, 100].find((each) => length / each <= 8) ?? 200;
  const height = top + spans.length * row + 46;
  const ticks = Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + 70} ${height}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title>One change, from the watch event to its writes</title>',
    `<rect width="100%" height="100%" rx="8" fill="#ffffff" stroke="#d0d7de"/>`,
    '<text x="20" y="32" font-size="15" font-weight="600" fill="#1f2328">Creation of a VirtualMachine: from the watch event to the writes</text>',
    ...ticks.flatMap((ms) => [
      `<line x1="${x(ms).toFixed(1)}" y1="${top - 8}" x2="${x(ms).toFixed(1)}" y2="${height - 36}" stroke="#eaeef2"/>`,
      `<text x="${x(ms).toFixed(1)}" y="${height - 16}" text-anchor="middle" fill="#656d76">${ms} ms</text>`,
    ]),
    ...spans.flatMap((span, at) =>
      bar(span, { y: top + at * row, from: x(startOf(span) - begin), to: x(endOf(span) - begin) }),
    ),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

function bar(span, { y, from, to }) {
  const { name, attributes } = span;
  const depth = span.parentSpanContext === undefined ? 0 : 1;
  const isRequest = attributes['kubewright.attempted'] !== undefined;
  const colour = isRequest
    ? '#2da44e'
    : name === 'queue'
      ? '#d4a72c'
      : name.startsWith('event')
        ? '#8250df'
        : '#0969da';
  const detail = attributes['kubewright.attempted'] ?? attributes['kubewright.object'] ?? '';
  const length = Math.max(3, to - from);
  const took = `${(endOf(span) - startOf(span)).toFixed(2)} ms`;
  return [
    `<text x="${20 + depth * 18}" y="${y + 13}" fill="#1f2328">${escaped(isRequest ? detail : `${name}${detail && ` · ${detail}`}`)}</text>`,
    `<rect x="${from.toFixed(1)}" y="${y + 2}" width="${length.toFixed(1)}" height="14" rx="3" fill="${colour}"><title>${escaped(`${name}: ${took}`)}</title></rect>`,
    `<text x="${(from + length + 6).toFixed(1)}" y="${y + 13}" font-size="11" fill="#656d76">${took}</text>`,
  ];
}

function startOf({ startTime: [seconds, nanoseconds] }) {
  return seconds * 1000 + nanoseconds / 1e6;
}
function endOf({ endTime: [seconds, nanoseconds] }) {
  return seconds * 1000 + nanoseconds / 1e6;
}
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
