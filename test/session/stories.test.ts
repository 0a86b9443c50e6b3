// What a responder comes for, each told by `stories.ts` and played to its end; `test/README.md` has the number of keys of each.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openInputs, type SavedInput } from '../../src/effects/saved/saved-input.ts';
import { textOf } from '../support/documents.ts';
import { ownFolder } from '../support/own-folder.ts';
import { openPlatform } from '../support/platform.ts';
import { openVirtualSession, type VirtualSession } from '../support/virtual-session.ts';
import { STORIES } from './stories.ts';
import type { Expectation, Scene, Start, Story } from './story.ts';

/** Between two keys of somebody who looks at the screen meanwhile, ms: no burst, and no held key. */
const STROKE = 100;

for (const story of STORIES) {
  test(story.title, async (t) => {
    await played(t, story);
  });
}

test('README.md tells to press what the stories press', () => {
  const readme = textOf('README.md').replaceAll(/\s+/g, ' ');
  for (const { title, told = '' } of STORIES) assert.ok(readme.includes(told), `${title}: ${told}`);
});

async function played(t: TestContext, { start, steps }: Story): Promise<void> {
  const home = ownFolder(t);
  const world = openPlatform({ seed: 7, rate: 10, incidents: true, ...start.simulator });
  const open = async ({ saved, ...more }: Start) => {
    const file = join(home, 'saved.ndjson');
    if (saved) writeFileSync(file, saved(world));
    const given = saved ? { args: ['open', file], saved: await opened(file) } : {};
    return openVirtualSession({ ...more, ...given, t, platform: world, home });
  };
  let terminal = await open(start);
  for (const step of steps) {
    if ('press' in step) await terminal.typeSlowly(step.press, STROKE);
    else if ('expect' in step) for (const each of step.expect) await seen(terminal, each, home);
    else if ('meanwhile' in step) await step.meanwhile(world);
    else {
      await terminal.close();
      terminal = await open(step.startAgain);
    }
  }
}

async function seen(terminal: VirtualSession, expectation: Expectation, home: string): Promise<void> {
  const scene = (): Scene => ({
    screen: terminal.screen(),
    world: terminal.platform,
    copied: terminal.copied,
    home,
  });
  await terminal.waitFor(() => expectation.holds(scene()), { what: expectation.says(scene()) });
}

async function opened(file: string): Promise<SavedInput[]> {
  const files = await openInputs([file], null);
  assert.ok(files.ok);
  return files.inputs;
}
