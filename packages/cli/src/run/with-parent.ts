import { maskCrashReports } from '@kubewright/api/secrets';

// Node.js loads this module before the program of a child process. The module terminates the child process with SIGTERM when the parent
// process exits, and masks credentials in crash reports.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
maskCrashReports();
