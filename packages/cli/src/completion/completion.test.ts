import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { Argument, Command, Option } from 'commander';
import { type CommandModel, commandModel } from '../command/command-model.js';
import { bashCompletion } from './bash-completion.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const program: CommandModel = commandModel(
  new Command('op')
    .option('--verbose', "say more, it's wordy: very")
    .version('1')
    .addCommand(
      new Command('add')
        .addCommand(
          new Command('api').addOption(new Option('-s, --scope <scope>', 'x').choices(['cluster', 'namespaced'])),
        )
        .addCommand(new Command('version').addOption(new Option('--from <file>', 'a file'))),
    )
    .addCommand(new Command('shell').addArgument(new Argument('<name>', 'x').choices(['bash', 'fish']))),
);

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
function run(shell: string, script: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
/** Functions that return the completions of a shell for the last, incomplete word of a command line. */
const offers: Readonly<Record<string, (line: string) => readonly string[]>> = {
  bash: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    const call = `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}; _op; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run('bash', `${bashCompletion(program)}\n${call}`);
  },
  fish: (line) =>
    run('fish', `${fishCompletion(program)}\ncomplete -C '${line}'`).map((each) => each.split('\t')[0] ?? ''),
};

for (const [shell, offer] of Object.entries(offers)) {
  describe(`completion in ${shell}`, { skip: has(shell) ? false : `${shell} is not installed` }, () => {
    it('the completion script offers commands and subcommands', () => {
      assert.deepEqual(offer('op ').toSorted(), ['add', 'help', 'shell']);
      assert.deepEqual(offer('op a'), ['add']);
      assert.deepEqual(offer('op add ').toSorted(), ['api', 'help', 'version']);
      assert.deepEqual(offer('op help ').toSorted(), ['add', 'shell']);
    });
    it('the completion script offers the options of a command and the common options', () => {
      const options = offer('op add api --').filter((word) => word.startsWith('--'));
      assert.deepEqual(options.toSorted(), ['--help', '--scope', '--verbose']);
      assert.ok(offer('op --v').includes('--version'));
    });
    it('the completion script offers the values of an argument and of an option', () => {
      assert.deepEqual(offer('op shell ').toSorted(), ['bash', 'fish']);
      assert.deepEqual(offer('op add api --scope c'), ['cluster']);
      assert.deepEqual(offer('op add api -s n'), ['namespaced']);
    });
    it('the completion script offers files for an option that accepts any value', () => {
      assert.ok(offer('op add version --from pack').includes('package.json'));
    });
  });
}

describe('completion in zsh', () => {
  it('kubewright completion zsh generates a valid script', {
    skip: has('zsh') ? false : 'zsh is not installed',
  }, () => {
    const { status, stderr } = spawnSync('zsh', ['-n'], { input: zshCompletion(program), encoding: 'utf8' });
    assert.equal(`${status} ${stderr}`, '0 ');
  });
  it('the zsh completion script describes every command and option', () => {
    const script = zshCompletion(program);
    assert.ok(script.startsWith('#compdef op\n'));
    assert.ok(script.includes(String.raw`'--verbose:say more, it'\''s wordy\: very'`));
    assert.ok(script.includes("    '/add/api --scope'|'/add/api -s') compadd -- cluster namespaced; return ;;"));
    assert.ok(script.includes("    '/add/version --from') _files; return ;;"));
    assert.ok(script.includes('entries=(bash fish)'));
  });
});

describe('completion in fish', () => {
  it('the fish completion script describes every command and option', () => {
    const script = fishCompletion(program);
    const here = 'complete -c op -n "__op_at';
    assert.ok(script.includes(String.raw`${here} ''" -l verbose -d 'say more, it\'s wordy: very'`));
    assert.ok(script.includes(`${here} '/add/api'" -l scope -s s -x -a 'cluster namespaced' -d 'x'`));
    assert.ok(script.includes(`${here} '/add/version'" -l from -r -F -d 'a file'`));
    assert.ok(script.includes(`${here} '/shell'" -a 'bash fish'`));
  });
});
