/** A program in the shape of the real one: the screen is loaded only when it is asked for. */
const wanted = process.argv[2];
if (wanted !== undefined) {
  const { plainScreen, screen } = await import('./entry-screen.tsx');
  process.stdout.write(wanted === 'plain' ? plainScreen() : screen());
} else {
  // Which of Node's own modules were loaded so far; not in Node's types.
  const { moduleLoadList } = process as unknown as { moduleLoadList: string[] };
  const isLoaded = moduleLoadList.includes('NativeModule readline');
  process.stdout.write(JSON.stringify({ url: import.meta.url, isLoaded }));
}
