/** Runs pieces of work one after the other, in the order in which they come; one that fails ends nothing but itself. */
export function createSequence(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
