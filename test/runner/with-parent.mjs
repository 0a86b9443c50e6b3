/**
 * Ends this process and those it started when the runner is gone, however it went: the runner holds the other end of
 * standard input, and each job is a process group of its own.
 */
process.stdin.on('end', () => process.kill(0, 'SIGKILL'));
process.stdin.resume();
process.stdin.unref();
