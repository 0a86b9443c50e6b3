/** Places for pieces of work, so many at once; those that find none wait for one in the order in which they came. */
export function createPlaces(most: number) {
  let free = most;
  const waiting: (() => void)[] = [];
  const give = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Resolves to what gives the place back; called again that does nothing. */
    async take(): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let isTaken = true;
      return () => {
        if (isTaken) give();
        isTaken = false;
      };
    },
  };
}
