import { join } from 'node:path';
import { built, isBuilt } from './app.ts';
import { ROW } from './growing-log.ts';
import { lnavHome } from './lnav-home.ts';
import { installed, type Program } from './programs.ts';

type FollowerSetting = { folder: string; notes: Set<string> };
/** A program that follows a file, and how its prompt for a search looks. */
export type Follower = { program: Program; prompt: RegExp };

/** Every program of this machine that follows a file that grows and shows its rows, ours first. */
export function followersOf({ folder, notes }: FollowerSetting): ((file: string) => Follower)[] {
  const all: ((file: string) => Follower)[] = [];
  if (isBuilt()) {
    all.push((file) => ({
      program: {
        name: 'edgescope',
        command: built(),
        args: ['open', '--follow', file],
        ready: ROW,
        home: join(folder, 'home'),
      },
      prompt: /^ \/text in any column/m,
    }));
  }
  const lnav = installed('lnav', [], ROW);
  if (lnav === null) notes.add('lnav is not installed here and was not measured.');
  else {
    const home = lnavHome(folder);
    all.push((file) => ({ program: { ...lnav, args: [file], home }, prompt: /Search for:/ }));
  }
  const less = installed('less', [], ROW);
  if (less === null) notes.add('less is not installed here and was not measured.');
  else all.push((file) => ({ program: { ...less, args: ['-S', '+F', file] }, prompt: /^\//m }));
  return all;
}
