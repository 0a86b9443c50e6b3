/**
 * A line of the doctor. `note`: it works, but not as well as it could; `trouble`: it does not. `todo`: what to do about
 * it, empty where nothing is to be done; `exit`: what the program ends with for this trouble.
 */
export type Finding = {
  check: string;
  state: 'ok' | 'note' | 'trouble';
  found: string;
  todo: string;
  exit: number;
};

const FAILED = 1;

export function fine(check: string, found: string): Finding {
  return { check, state: 'ok', found, todo: '', exit: 0 };
}

export function noted(check: string, found: string, todo: string): Finding {
  return { check, state: 'note', found, todo, exit: 0 };
}

export function troubled(check: string, found: string, todo: string, exit = FAILED): Finding {
  return { check, state: 'trouble', found, todo, exit };
}
