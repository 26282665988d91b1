// Loaded before the program of a child process: tells it to end, as a signal would, when the process that started it is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
