export { CommandContext, type Surroundings } from './command/command-context.js';
export { runCommandLine } from './command/run-command-line.js';
