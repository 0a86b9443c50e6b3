/**
 * A function that answers at once where it is asked again about the same thing with equal inputs: painting a line costs
 * more than comparing what it depends on. `make` is given the thing and the inputs and must read nothing else, so that its
 * inputs are its key. One answer is kept for each thing, as long as the thing lives.
 */
export function kept<Thing extends object, Inputs extends Readonly<Record<string, unknown>>, Made>(
  make: (thing: Thing, inputs: Inputs) => Made,
): (thing: Thing, inputs: Inputs) => Made {
  const answers = new WeakMap<Thing, { inputs: Inputs; made: Made }>();
  return (thing, inputs) => {
    const known = answers.get(thing);
    if (known && Object.keys(inputs).every((name) => Object.is(inputs[name], known.inputs[name]))) {
      return known.made;
    }
    const made = make(thing, inputs);
    answers.set(thing, { inputs, made });
    return made;
  };
}
