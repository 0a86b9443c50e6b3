// The floor of any Ink program: start, one line, stay.
import { render, Text } from 'ink';

render(<Text>hello-ready</Text>, { patchConsole: false });
process.stdin.resume();
process.once('SIGINT', () => process.exit(0));
