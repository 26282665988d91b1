import { parseArgs } from 'node:util';
import { compareParsers } from './parser-comparison.js';

/**
 * Compares the results of the parsers of the cache. `args` contains the arguments of the command line. Prints the seed, the progress, and
 * the smallest documents with a defect. Returns the exit code: 0 without a defect, 1 with a defect, 2 for invalid arguments.
 */
export function fuzzParser(
  args: readonly string[],
  output: (line: string) => void,
  progress: (line: string) => void,
): number {
  const options = optionsOf(args);
  if (options === undefined) {
    progress('unknown arguments; npm run fuzz -- --help lists the options');
    return 2;
  }
  const { seed, from, documents } = options;
  const to = from + documents;
  output(`seed ${seed}, documents ${from} to ${to - 1}`);
  const { shared, invalid, defect } = compareParsers(seed, { from, to }, (at) =>
    progress(`${at - from} of ${documents} documents`),
  );
  if (defect === undefined) {
    output(`${documents} documents: ${shared} with shared values, ${invalid} invalid, 0 defects`);
    return 0;
  }
  output(`document ${defect.at} is not parsed like the complete parser; smallest documents with this defect:`);
  for (const { bytes, isEvent } of defect.documents)
    output(`  ${isEvent ? 'event' : 'object'} ${JSON.stringify(bytes.toString('latin1'))}`);
  output(`repeat: npm run fuzz -- parser --seed ${seed} --from ${defect.at}`);
  return 1;
}

function optionsOf(args: readonly string[]): { seed: number; from: number; documents: number } | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        documents: { type: 'string', default: '10000000' },
        seed: { type: 'string', default: '1' },
        from: { type: 'string', default: '0' },
      },
    });
    const [documents, seed, from] = [Number(values.documents), Number(values.seed), Number(values.from)];
    const isValid = [documents, seed, from].every(Number.isInteger) && documents > 0 && from >= 0;
    return isValid ? { documents, seed, from } : undefined;
  } catch {
    return undefined;
  }
}
