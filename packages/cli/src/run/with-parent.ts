import { maskCrashReports } from '@kubewright/api/secrets';

// Node.js loads this file before the program of a child process. When the parent process has ended, this file ends the child process with
// SIGTERM.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
maskCrashReports();
