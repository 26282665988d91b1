// Loaded before each test file. Sends two events to the reporters of the run, with the path of the program of this process: one before all
// results of the process, and one with its exit code, its duration and its processor time in milliseconds. The test runner itself does not
// report which process a result is from.
import { DefaultSerializer } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { cpuTimeMs } from './cpu-time.mjs';

const [, program = ''] = process.argv;
// Worker threads and programs that a test forks also load this module.
if (isMainThread && process.env.NODE_TEST_CONTEXT === 'child-v8' && /\.test\.m?js$/.test(program)) {
  send('kubewright:start', { program });
  process.once('exit', (exitCode) => {
    send('kubewright:end', { program, exitCode, ms: Math.round(performance.now()), cpuMs: cpuTimeMs() });
  });
}

/** Writes an event in the format that the test runner reads: a header, the length in 4 bytes, and the serialized event. */
function send(type, data) {
  const event = serialized({ type, data: { nesting: 0, ...data } });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  process.stdout.write(Buffer.concat([serialized(), length, event]));
}

function serialized(...values) {
  const serializer = new DefaultSerializer();
  serializer.writeHeader();
  for (const value of values) serializer.writeValue(value);
  return serializer.releaseBuffer();
}
