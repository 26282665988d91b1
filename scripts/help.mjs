// Implements the option --help of the scripts.

/**
 * Prints a text and exits if the arguments contain --help or -h. Call this function before a script installs, builds, or writes anything.
 * The first line of the text is the usage.
 */
export function showHelp(text) {
  const args = process.argv.slice(2);
  if (!args.includes('--help') && !args.includes('-h')) return;
  process.stdout.write(`Usage: ${text.trim()}\n`);
  process.exit(0);
}
