import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../matrix/scaffold-project.js';
import type { CountedProject } from './counted-project.js';
import { ANSWERS } from './kubewright-project.js';
import type { ScaffoldTimes } from './scaffold-times.js';

/** The page that contains the table. */
export const PAGE = join(repository, 'docs', 'reference', 'compared-with-kubebuilder.md');
/** The recorded counts of the kubebuilder repository. */
const COUNTED = join(repository, 'test', 'scaffold', 'compared', 'kubebuilder.json');

/** The counts of a kubebuilder repository at a commit, and the times of both workflows. */
export interface CountedRepository {
  readonly commit: string;
  readonly counts: CountedProject;
  readonly times: ScaffoldTimes;
}

/** The commands from an empty folder to the first converged object. Edits of the operator are not included. */
const COMMANDS = {
  kubebuilder: [
    'mkdir memcached-operator',
    'cd memcached-operator',
    'kubebuilder init --domain=example.com --repo=example.com/memcached',
    'kubebuilder create api --group cache --version v1alpha1 --kind Memcached',
    'kind create cluster',
    'make install',
    'make run',
    'kubectl apply -k config/samples',
  ],
  kubewright: [
    `npm create operator@latest memcached-operator -- ${ANSWERS.join(' ')}`,
    'cd memcached-operator',
    'npm run dev',
  ],
} as const;

/** Reads the recorded counts of kubebuilder. */
export function readCounted(): CountedRepository {
  return JSON.parse(readFileSync(COUNTED, 'utf8')) as CountedRepository;
}

/** Returns the path and the text of the file that stores the counts. */
export function countedText(counted: CountedRepository): { readonly path: string; readonly text: string } {
  return { path: COUNTED, text: `${JSON.stringify(counted, null, 2)}\n` };
}

/** Returns the table of the page. */
export function comparisonTable({ counts: kubebuilder, times }: CountedRepository, kubewright: CountedProject): string {
  const rows = [
    ['commands typed', COMMANDS.kubebuilder.length, COMMANDS.kubewright.length],
    ['files created', kubebuilder.files, kubewright.files],
    ['lines in these files', kubebuilder.lines, kubewright.lines],
    ['files that you own afterwards', kubebuilder.ownFiles, kubewright.ownFiles],
    ['lines in the files that you own', kubebuilder.linesToRead, kubewright.linesToRead],
    ['lines of code of the operator', kubebuilder.operatorLines, kubewright.operatorLines],
    ['of these, written by hand', kubebuilder.linesByHand, kubewright.linesByHand],
    ['seconds to the first object', Math.round(times.kubebuilder), Math.round(times.kubewright)],
  ];
  const width = Math.max(...rows.map(([what]) => String(what).length));
  return [
    `| ${' '.repeat(width)} | kubebuilder | Kubewright |`,
    `| ${'-'.repeat(width)} | ----------: | ---------: |`,
    ...rows.map(
      ([what, theirs, ours]) =>
        `| ${String(what).padEnd(width)} | ${String(theirs).padStart(11)} | ${String(ours).padStart(10)} |`,
    ),
  ].join('\n');
}

/** Returns the page with updated table, commands and commit. Throws if the page does not contain the text to replace. */
export function pageWith(page: string, counted: CountedRepository, kubewright: CountedProject): string {
  const places: readonly (readonly [place: RegExp, content: string])[] = [
    [/\|  +\| kubebuilder \|(?:.*\n)(?:\|.*\|(?:\n|$))+/, `${comparisonTable(counted, kubewright)}\n`],
    [/With kubebuilder:\n[^]*?With Kubewright:\n\n```sh\n[^]*?```/, commandBlocks()],
    [/at commit `\w+`/, `at commit \`${counted.commit}\``],
  ];
  return places.reduce((text, [place, content]) => {
    if (!place.test(text))
      throw new Error(`the page ${PAGE} does not contain the text to replace with this content:\n${content}`);
    return text.replace(place, () => content);
  }, page);
}

function commandBlocks(): string {
  const block = (of: keyof typeof COMMANDS): string => ['```sh', ...COMMANDS[of], '```'].join('\n');
  return `With kubebuilder:\n\n${block('kubebuilder')}\n\nWith Kubewright:\n\n${block('kubewright')}`;
}
