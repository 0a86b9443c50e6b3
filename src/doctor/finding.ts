/**
 * A line of the doctor. `note`: it works, but not as well as it could; `trouble`: it does not. `todo`: what to do about
 * it, empty where nothing is to be done; `exit`: what the program ends with for this trouble.
 */
export type DoctorFinding = {
  check: string;
  state: 'ok' | 'note' | 'trouble';
  found: string;
  todo: string;
  exit: number;
};

const FAILED = 1;

export function fine(check: string, found: string): DoctorFinding {
  return { check, state: 'ok', found, todo: '', exit: 0 };
}

export function noted(check: string, found: string, todo: string): DoctorFinding {
  return { check, state: 'note', found, todo, exit: 0 };
}

export function troubled(check: string, found: string, todo: string, exit = FAILED): DoctorFinding {
  return { check, state: 'trouble', found, todo, exit };
}
