// npm run determinism -- [--times 1000] [--seeds 20] [--example NAME]: repeats explored histories, and compares their traces byte for byte.
import { parseArgs } from 'node:util';
import { showHelp } from './help.mjs';
import { setUp } from './setup.mjs';

showHelp(`npm run determinism -- [--times N] [--seeds N] [--example NAME]

Runs random histories of examples again and again, and compares the bytes of all requests, responses and events. Exits with code 1 if two
runs with the same seed differ.

Options:
  --times N       runs of each seed (default: 1000)
  --seeds N       number of seeds (default: 20)
  --example NAME  runs only one example (default: all examples with explored histories)
  -h, --help      print this help`);

setUp();
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1000' },
    seeds: { type: 'string', default: '20' },
    example: { type: 'string' },
  },
});
const [times, seeds] = [Number(values.times), Number(values.seeds)];
const { exploredExamples, exploredTrials } = await import('../test/dist/determinism/explored-trials.js');
const known = Object.keys(exploredExamples);
const names = values.example === undefined ? known : known.filter((name) => name === values.example);
if (!Number.isInteger(times) || times < 2 || !Number.isInteger(seeds) || seeds < 1 || names.length === 0) {
  console.error(
    `--times, --seeds or --example is not valid; use npm run determinism -- --times 1000 --seeds 20 --example ${known.join('|')}`,
  );
  process.exitCode = 1;
} else {
  for (const name of names) for (let seed = 1; seed <= seeds; seed++) await repeat(name, seed);
}

async function repeat(name, seed) {
  const first = await exploredTrials(name, seed);
  let different = 0;
  for (let run = 1; run < times; run++) {
    const again = await exploredTrials(name, seed);
    const differs = first.findIndex((line, index) => line !== again[index]);
    if (differs < 0 && again.length === first.length) continue;
    // The lines of a longer run differ after the end of the first run.
    const at = differs < 0 ? first.length : differs;
    different++;
    process.exitCode = 1;
    console.log(`DIFFERENCE: ${name}, seed ${seed}, run ${run}, line ${at}\n  ${first[at]}\n  ${again[at]}`);
  }
  console.log(`${name}, seed ${seed}: ${times - different} of ${times} runs are equal, ${first.length} lines`);
}
