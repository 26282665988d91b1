export { CommandContext, type Surroundings } from './command/command-context.js';
export { type ArgumentModel, type CommandModel, commandModel, type OptionModel } from './command/command-model.js';
export { ExitCode } from './command/exit-codes.js';
export { programOf } from './command/program.js';
export { runCommandLine } from './command/run-command-line.js';
export { installManifest } from './manifests/install-manifest.js';
export type { ManifestsInput } from './manifests/manifests-input.js';
export { isUserFile, manifestsOf } from './manifests/manifests-of.js';
export { sampleOf } from './manifests/samples/sample-of.js';
