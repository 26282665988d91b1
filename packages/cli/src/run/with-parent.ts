import { maskCrashReports } from '@kubewright/api/secrets';

// Loaded before the program of a child process. Ends the child, as a signal would, when the process that started it is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
maskCrashReports();
