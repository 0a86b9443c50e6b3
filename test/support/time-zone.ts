/** What is made while the machine stands in a time zone. */
export function inTimeZone<Made>(zone: string, make: () => Made): Made {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    return make();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}
