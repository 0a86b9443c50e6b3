// Runs the program that lies at `place`, from compiled code where a former run left some: the functions that a start needs
// are then not parsed again, a fifth of the time of a start. Node's own compile cache holds only what was compiled
// before the first statement ran, which is next to nothing of a bundle.
// Read as CommonJS or as an ES module, according to where the file lies, so it may use neither `require` nor `import`.
// biome-ignore lint/correctness/noUnusedVariables: the line that launcher.ts puts behind it calls it.
function runProgram({ hash, place }) {
  const fs = process.getBuiltinModule('node:fs');
  const vm = process.getBuiltinModule('node:vm');
  const zlib = process.getBuiltinModule('node:zlib');
  const path = process.getBuiltinModule('node:path');
  // Late enough for the start to be over, early enough for its functions not to be forgotten by V8.
  const STARTED_MS = 3000;

  takeBackLibraries();
  const launcher = fs.realpathSync(process.argv[1]);
  const filename = path.resolve(path.dirname(launcher), place);
  const program = programOfLauncher();
  if (!program.startsWith(`/*${hash}*/`)) {
    const shown = filename.replace(/[^ -~]/g, '?');
    process.exitCode = 1;
    process.stderr.write(
      `edgescope: its program is not at ${shown}, or is of another build or owner. Install edgescope again.\n`,
    );
    return;
  }
  if (!process.stdout.isTTY) prepareForPrint();
  const name = `${kindOfStart()}.`;
  const folder = cacheFolder();
  const cachedData = folder && compiledBefore(path.join(folder, name + hash));
  const script = new vm.Script(program, {
    filename,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  let isToKeep = Boolean(folder && (!cachedData || script.cachedDataRejected));
  process.once('exit', keep);
  setTimeout(() => {
    keep();
    if (process.stdout.isTTY) boundGarbage();
  }, STARTED_MS).unref();
  script.runInThisContext();

  /** What the launcher added for Node: what the program starts finds its libraries where the user has them. */
  function takeBackLibraries() {
    const { LD_LIBRARY_PATH = '' } = process.env;
    if (LD_LIBRARY_PATH === '$ORIGIN') delete process.env.LD_LIBRARY_PATH;
    else if (LD_LIBRARY_PATH.startsWith('$ORIGIN:'))
      process.env.LD_LIBRARY_PATH = LD_LIBRARY_PATH.slice('$ORIGIN:'.length);
  }

  /** The program; empty where there is none, or another user than that of the launcher put it there. */
  function programOfLauncher() {
    const { uid } = fs.statSync(launcher);
    try {
      return opened(filename, 0, (found, file) => (found.uid === uid ? fs.readFileSync(file, 'latin1') : ''));
    } catch {
      return '';
    }
  }

  /** Before anything is compiled: kept code is refused under other flags than those it was compiled and kept under. */
  function prepareForPrint() {
    // A print ends soon, and in a small heap: a thread that compiles beside may then wait for a collection, which only
    // the main thread can do, and that waits for the thread, for ever (nodejs/node#54918; seen on a busy machine).
    process.getBuiltinModule('node:v8').setFlagsFromString('--no-concurrent-sparkplug');
  }

  /**
   * A session lasts for hours, and V8 would let rows that went pile up to as much as four times what is kept. Not from
   * the start on: under this flag it refuses the compiled code of Node's own modules, and the start takes a seventh longer.
   */
  function boundGarbage() {
    process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=20');
  }

  /** What is compiled differs with what is started. */
  function kindOfStart() {
    const [word = ''] = process.argv.slice(2);
    if (process.stdout.isTTY) return word === 'logs' || word === 'open' ? `screen-${word}` : 'screen';
    return /^[a-z]{1,16}$/.test(word) ? word : 'other';
  }

  /** The user's own folder, or undefined: compiled code is run, so it may only lie where nobody else can put any. */
  function cacheFolder() {
    const { XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
    if (NODE_DISABLE_COMPILE_CACHE) return undefined;
    try {
      const isHomeThere = HOME?.startsWith('/') && fs.existsSync(HOME);
      const base = XDG_CACHE_HOME || (isHomeThere && path.join(HOME, '.cache'));
      if (!base || !path.isAbsolute(base)) return undefined;
      const own = path.join(base, 'edgescope');
      if (!fs.existsSync(own)) {
        if (!fs.existsSync(base)) fs.mkdirSync(base, { mode: 0o700 });
        fs.mkdirSync(own, { mode: 0o700 });
      }
      const folder = fs.realpathSync(own);
      const isOurs = opened(folder, fs.constants.O_DIRECTORY, isOwn);
      return isOurs && isBelowTrusted(folder) ? folder : undefined;
    } catch {
      return undefined;
    }
  }

  /** What `use` makes of an open file, looked at and read by the one descriptor: a name may mean another file by then. */
  function opened(name, flags, use) {
    const file = fs.openSync(name, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | flags);
    try {
      return use(fs.fstatSync(file), file);
    } finally {
      fs.closeSync(file);
    }
  }

  function isOwn({ uid, mode }) {
    return uid === process.geteuid() && (mode & 0o022) === 0;
  }

  /** Whoever owns or writes a folder above can put another one in the place of ours; where names stick he cannot. */
  function isBelowTrusted(folder) {
    const above = path.dirname(folder);
    const { uid, mode } = fs.lstatSync(above);
    const isTrusted =
      (uid === process.geteuid() || uid === 0) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
    return isTrusted && (above === folder || isBelowTrusted(above));
  }

  /** V8 does not look for damage in what it is given, so a checksum goes before it. */
  function compiledBefore(file) {
    try {
      const kept = opened(file, fs.constants.O_NONBLOCK, (found, descriptor) =>
        found.isFile() && found.nlink === 1 && isOwn(found) ? fs.readFileSync(descriptor) : Buffer.alloc(0),
      );
      const data = kept.subarray(4);
      return zlib.crc32(data) === kept.readUInt32LE(0) ? data : undefined;
    } catch {
      return undefined;
    }
  }

  function keep(code) {
    if (!isToKeep || code) return;
    isToKeep = false;
    try {
      for (const other of fs.readdirSync(folder)) {
        if (other.startsWith(name)) fs.rmSync(path.join(folder, other));
      }
      const data = script.createCachedData();
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(zlib.crc32(data));
      const unfinished = path.join(folder, `${name}${process.pid}`);
      fs.writeFileSync(unfinished, Buffer.concat([checksum, data]), { mode: 0o600, flag: 'wx' });
      fs.renameSync(unfinished, path.join(folder, name + hash));
    } catch {
      // A full disk or a folder that went away costs the next start a few milliseconds, nothing else.
    }
  }
}
