type Inputs = Readonly<Record<string, unknown>>;

/**
 * A function that answers at once when asked about the same thing with equal inputs: painting a line, or counting
 * fifty thousand, costs more than comparing its inputs. `make` must read nothing but the thing and the inputs, which
 * are its key; a state is one with the book that it holds, since each change of its rows makes another state. One answer is
 * kept a thing, as long as the thing lives; `make` is handed it, to take from it what stayed as it was.
 */
export function memoised<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made;
export function memoised<Thing extends object, Of extends Inputs, Made>(
  make: (thing: Thing, inputs: Of, before: Made | null) => Made,
): (thing: Thing, inputs: Of) => Made;
export function memoised<Made>(make: (thing: object, inputs: Inputs, before: Made | null) => Made) {
  const answers = new WeakMap<object, { inputs: Inputs; made: Made }>();
  return (thing: object, inputs: Inputs = {}): Made => {
    const known = answers.get(thing);
    if (known && areSame(inputs, known.inputs)) return known.made;
    const made = make(thing, inputs, known?.made ?? null);
    answers.set(thing, { inputs, made });
    return made;
  };
}

/** Asked a dozen times a frame, so without a list of the names. */
function areSame(inputs: Inputs, known: Inputs): boolean {
  for (const name in inputs) {
    if (!Object.is(inputs[name], known[name])) return false;
  }
  return true;
}
