import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SHELL = readFileSync(new URL('./launcher.sh', import.meta.url), 'utf8').trimEnd();
const LOADER = readFileSync(new URL('./loader.js', import.meta.url), 'utf8').trimEnd();

/** Must run on any Node: says in one sentence what is missing instead of failing in the middle. */
const VERSION_CHECK =
  'if(process.platform==="win32"){process.exitCode=1;process.stderr.write("edgescope: runs on Linux and macOS; on Windows: ' +
  'wsl --install, then the same command in WSL.\\n")}else if(parseInt(process.versions.node,10)<24){process.exitCode=1;process.stderr.write("edgescope: needs Node 24 or newer, ' +
  'and the node in PATH is "+process.version+" ("+process.execPath.replace(/[^ -~]/g,"?")+"). Get a newer one from https://nodejs.org and try again.\\n")}';

/** The name under which bundled code finds its `import.meta`. */
export const IMPORT_META_NAME = '__importMeta';

/** What `import.meta` is to the bundled program, whose modules all live in one file. */
const IMPORT_META =
  `const ${IMPORT_META_NAME}=(()=>{const filename=process.argv[1],{pathToFileURL}=process.getBuiltinModule("node:url"),` +
  '{dirname}=process.getBuiltinModule("node:path");return{url:pathToFileURL(filename).href,filename,dirname:dirname(filename)}})();';

/** Where a checkout has its Node: the line of the launcher that a package replaces. */
const IN_CHECKOUT = "brought='../node_modules/.bin/node'\n";

function launcherFor(node: string): string {
  if (!SHELL.includes(IN_CHECKOUT) || !/^[\w./-]+$/.test(node))
    throw new Error('the launcher has no place for this Node');
  return SHELL.replace(IN_CHECKOUT, `brought='${node}'\n`);
}

/** What `sh` and Node start, and the program, which lies at `place` as seen from its folder. */
export type Executable = { launcher: string; program: string; place: string };

/** The name of a program that lies beside its launcher. */
export const PROGRAM_NAME = 'edgescope.js';

/**
 * An executable of a program, in two files: Node parses all of the file that it is started with, and a start needs a tenth of
 * the program. `sh` reads the launcher and stops there; JavaScript takes that for a comment and reads the loader, which runs the
 * program as a script. The program is ASCII, may await at its top level and holds no `import` or `export` declaration. `node`:
 * where a package brings its own Node, absolute or seen from the folder of the launcher; plain letters.
 */
export function executableOf(
  program: string,
  { node, place = PROGRAM_NAME }: { node?: string; place?: string } = {},
): Executable {
  const shell = node === undefined ? SHELL : launcherFor(node);
  if (shell.includes('*/')) throw new Error('the launcher holds the end of a JavaScript comment');
  const script = `"use strict";(async()=>{${IMPORT_META}${program.trimEnd()}\n})();\n`;
  if (!/^[\0-\x7f]*$/.test(script)) throw new Error('the program is not ASCII');
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 16);
  const launcher = [
    '#!/bin/sh',
    '":" /*',
    shell,
    '*/',
    ';"use strict";',
    LOADER,
    `${VERSION_CHECK}else runProgram(${JSON.stringify({ hash, place })});`,
    '',
  ].join('\n');
  return { launcher, program: `/*${hash}*/${script}`, place };
}
