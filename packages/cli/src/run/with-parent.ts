import { maskCrashReports } from '@kubewright/api/secrets';

// Node.js loads this file before the program of a child process. It ends the child, as a signal would, when the parent process has ended.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
maskCrashReports();
