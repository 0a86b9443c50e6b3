/** A line of JSON for each test that ran: its own name, and whether it passed. */
// biome-ignore lint/style/noDefaultExport: the test runner takes the default export of a reporter.
export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.skip !== undefined || data.todo !== undefined || data.details?.type === 'suite') continue;
    yield `${JSON.stringify({ name: data.name, passed: type === 'test:pass' })}\n`;
  }
}
