// npm up to 10 takes `.bin/node` away again: it tries the Node of every platform, and clears up after those that do not
// fit, whose command has the same name. Runs at the end of an install, by whichever Node runs npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (process.platform === 'win32') {
  console.error(
    'edgescope runs on Linux and macOS. On Windows: wsl --install, then the same commands in WSL.',
  );
  process.exit(1);
}

const packages = new URL('../../../node_modules/', import.meta.url);
const command = new URL('.bin/node', packages);
const [name] = readdirSync(packages).filter((each) => /^node-(?:bin-)?(?:darwin|linux)-/.test(each));

// 67 MB of headers, for add-ons in C++: none is compiled here.
if (name !== undefined) rmSync(new URL(`${name}/include`, packages), { recursive: true, force: true });

if (name !== undefined && !existsSync(command)) {
  const { bin } = JSON.parse(readFileSync(new URL(`${name}/package.json`, packages), 'utf8'));
  rmSync(command, { force: true });
  symlinkSync(`../${name}/${bin.node}`, command);
}

if (spawnSync(fileURLToPath(command), ['--version']).status !== 0) process.exit(1);
