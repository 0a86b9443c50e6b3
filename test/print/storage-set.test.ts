import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { programOf } from './support.ts';

const ID = 605220;
const NAME = 'video-masters';
const WRITE = ['--confirm', NAME, '--write'];

function bench(t: TestContext, env: Record<string, string> = {}) {
  const { simulator, run } = programOf(t, {}, env);
  const posts = () => Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);
  return { simulator, run, posts };
}

test('storage prints the read model under its own names, without a password', async (t) => {
  const { simulator, run } = bench(t);
  const all = await run('storage');
  assert.equal(all.code, 0, all.stderr);
  const rows = all.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(rows.length, 5);
  const { Password, ReadOnlyPassword, ...readable } = simulator.storageZone(ID)?.read ?? {
    Password: '',
    ReadOnlyPassword: '',
  };
  const one = JSON.parse((await run('storage', NAME)).stdout);
  assert.deepEqual(Object.keys(one).sort(), Object.keys(readable).sort());
  assert.deepEqual({ ...one, DateModified: '' }, { ...readable, DateModified: '' });
  assert.doesNotMatch(all.stdout + all.stderr, /canary|assword/);
  const table = await run('storage', String(ID), '--format', 'table');
  assert.match(table.stdout, /^ID +USERID +NAME/);
});

test('set changes a zone once and prints its verdict and the command that undoes it', async (t) => {
  const { simulator, run, posts } = bench(t);
  const ended = await run('storage', NAME, 'set', 'Rewrite404To200=true', 'ReplicationZones=LA', ...WRITE);
  assert.equal(ended.code, 0, ended.stderr);
  const { verdict, fields } = JSON.parse(ended.stdout);
  assert.equal(verdict, 'APPLIED');
  assert.deepEqual(
    fields.map((each: { fate: string }) => each.fate),
    ['applied', 'applied'],
  );
  assert.equal(posts(), 1);
  assert.deepEqual(simulator.storageZone(ID)?.read.ReplicationRegions, ['NY', 'SG', 'LA']);
  assert.match(ended.stderr, /IRREVERSIBLE: LA for ever/);
  assert.match(ended.stderr, /no undo for ReplicationZones/);
  const undo = /to undo: edgescope (.*)/.exec(ended.stderr)?.[1]?.split(' ') ?? [];
  const undone = await run(...undo);
  assert.equal(JSON.parse(undone.stdout).verdict, 'APPLIED');
  assert.equal(simulator.storageZone(ID)?.read.Rewrite404To200, false);
});

test('without --write, without a name, with a wrong one, or with a value that cannot be, nothing is sent', async (t) => {
  const { run, posts } = bench(t);
  const set = ['storage', NAME, 'set', 'Rewrite404To200=true'];
  for (const [args, why] of [
    [[...set, '--confirm', NAME], /without --write/],
    [[...set, '--write'], /--confirm/],
    [[...set, '--write', '--confirm', 'press-images'], /is not the name of this zone/],
    [['storage', NAME, 'set', 'OriginUrl=ftp://x', ...WRITE], /OriginUrl: begin with http/],
    [['storage', NAME, 'set', 'Custom404FilePath=x', ...WRITE], /Custom404FilePath: begin with a slash/],
    [['storage', NAME, 'set', 'Name=x', ...WRITE], /no field is called 'Name'/],
    [['storage', NAME, 'set', ...WRITE], /Field=value/],
    [['storage', 'video-mastres', 'set', 'Rewrite404To200=true', ...WRITE], /nearest: video-masters/],
    [['storage', NAME, 'delete', ...WRITE], /only 'set/],
  ] as const) {
    const ended = await run(...args);
    assert.equal(ended.code, 2, args.join(' '));
    assert.match(ended.stderr, why);
    assert.equal(ended.stdout, '');
  }
  const same = await run('storage', NAME, 'set', 'Rewrite404To200=false', ...WRITE);
  assert.equal(same.code, 0);
  assert.match(same.stderr, /nothing was sent/);
  assert.equal(posts(), 0);
});
