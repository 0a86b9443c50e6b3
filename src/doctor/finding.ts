/**
 * A line of the doctor. `note`: it works, but could work better; `trouble`: it does not. `todo`: what to do, empty
 * where nothing; `exit`: the exit code for this trouble.
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
