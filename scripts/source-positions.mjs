// Translates positions in compiled files to positions in the TypeScript sources. Only the process of the test runner translates, because
// with --enable-source-maps each test process would read the source map of every module that it loads.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Matches a position in a compiled file, as in the stack of an error. */
const POSITION = /(?:file:\/\/)?(\/[^\n()]*?\.js|[A-Za-z]:[\\/][^\n()]*?\.js):(\d+):(\d+)/g;
const maps = new Map();

/** Returns the position in the source from which this position was compiled. Returns the given position if there is no source map. */
export function sourceOf({ file, line, column }) {
  if (!maps.has(file)) maps.set(file, mapOf(file));
  const { originalSource, originalLine, originalColumn } = maps.get(file)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return { file, line, column };
  return { file: join(dirname(file), originalSource), line: originalLine + 1, column: originalColumn + 1 };
}

/** Replaces all positions in a text by positions in the sources. */
export function inSources(text) {
  if (!text.includes('.js:')) return text;
  return text.replaceAll(POSITION, (found, path, line, column) => {
    const file = found.startsWith('file://')
      ? fileURLToPath(found.slice(0, found.indexOf('.js:') + '.js'.length))
      : path;
    const source = sourceOf({ file, line: Number(line), column: Number(column) });
    return source.file === file ? found : `${source.file}:${source.line}:${source.column}`;
  });
}

/**
 * Yields the events of a test run with positions in the sources. Changes the events themselves, which the reporters of a run share. A second
 * translation changes nothing.
 */
export async function* inSourcesOf(events) {
  for await (const event of events) {
    const { data } = event;
    if (typeof data.message === 'string') data.message = inSources(data.message);
    // An event for a whole test file keeps the path of the program that the test runner started.
    const isFile = data.nesting === 0 && data.name !== undefined && resolve(data.name) === data.file;
    if (data.file !== undefined && data.line !== undefined && !isFile) Object.assign(data, sourceOf(data));
    for (let { error } = data.details ?? {}; error instanceof Error; error = error.cause) {
      if (typeof error.stack === 'string') error.stack = inSources(error.stack);
    }
    yield event;
  }
}

function mapOf(file) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
