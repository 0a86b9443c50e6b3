// The floor of any program on this runtime: start, one line, stay.
process.stdout.write('hello-ready');
process.stdin.resume();
