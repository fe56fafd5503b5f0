// What the single-file executable runs: lays out the program that it holds, once for each version and user, and starts it.

const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { getAsset } = require('node:sea');

const { id, files } = JSON.parse(getAsset('', 'utf8'));

/** Where the user's programs keep what they can make again; nobody else may write there. */
function cacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  return XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** Whole or not at all: another process may do the same meanwhile. */
function layOut(folder) {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const begun = mkdtempSync(`${folder}-`);
  for (const file of files) {
    mkdirSync(dirname(join(begun, file)), { recursive: true });
    writeFileSync(join(begun, file), new Uint8Array(getAsset(file)));
  }
  try {
    renameSync(begun, folder);
  } catch (error) {
    rmSync(begun, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function program() {
  const folder = join(cacheFolder(), 'keelson', id);
  if (existsSync(folder)) return folder;
  try {
    layOut(folder);
    return folder;
  } catch {
    // A home that cannot be written to: for this process alone.
    const own = join(mkdtempSync(join(tmpdir(), 'keelson-')), id);
    layOut(own);
    process.on('exit', () => rmSync(dirname(own), { recursive: true, force: true }));
    return own;
  }
}

const main = join(program(), 'dist', 'main.js');
require('node:module').enableCompileCache?.();
createRequire(main)(main)
  .main(process.argv.slice(2))
  .then((status) => {
    process.exitCode = status;
  });
