// The option --help of every script.

/**
 * Prints a text and ends the process if the arguments contain --help or -h. A script calls this before it installs, builds or writes
 * anything. The first line of the text is the usage.
 */
export function showHelp(text) {
  const args = process.argv.slice(2);
  if (!args.includes('--help') && !args.includes('-h')) return;
  process.stdout.write(`Usage: ${text.trim()}\n`);
  process.exit(0);
}
