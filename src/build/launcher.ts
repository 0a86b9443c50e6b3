import { readFileSync } from 'node:fs';

const SCRIPT = readFileSync(new URL('./launcher.sh', import.meta.url), 'utf8');

/** Must run on any Node: says in one sentence what is missing instead of failing in the middle. */
const VERSION_CHECK =
  'if(parseInt(process.versions.node,10)<24){process.exitCode=1;process.stderr.write("edgescope: needs Node 24 or newer, ' +
  'and the node in PATH is "+process.version+" ("+process.execPath+"). Get a newer one from https://nodejs.org and try again.\\n")}';

/** What `import.meta` is to the bundled program, whose modules all live in one file. */
const IMPORT_META =
  'const __importMeta=(()=>{const filename=process.argv[1],{pathToFileURL}=process.getBuiltinModule("node:url"),' +
  '{dirname}=process.getBuiltinModule("node:path");return{url:pathToFileURL(filename).href,filename,dirname:dirname(filename)}})();';

/** The name under which bundled code finds its `import.meta`. */
export const IMPORT_META_NAME = '__importMeta';

/**
 * One executable text from a program: `sh` reads it as the launcher and stops before the program, JavaScript takes the
 * launcher for a comment. The program may await at its top level but holds no `import` or `export` declaration, so the
 * text means the same to Node as CommonJS and as an ES module, whatever package.json lies around the file.
 */
export function withLauncher(program: string): string {
  if (SCRIPT.includes('*/')) throw new Error('the launcher holds the end of a JavaScript comment');
  return [
    '#!/bin/sh',
    '":" /*',
    SCRIPT.trimEnd(),
    '*/',
    `;"use strict";${VERSION_CHECK}else(async()=>{${IMPORT_META}`,
    program.trimEnd(),
    '})();',
    '',
  ].join('\n');
}
