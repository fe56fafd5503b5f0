#!/usr/bin/env node
// The program's entrance, plain JavaScript so that even a Node that is too old can read it and say so. Runs what was
// built: always in an installed package, which has no source, and in a checkout as long as no file of the source has
// changed since; else the source.

const [oldestMajor, oldestMinor] = [24, 7];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  const found = `needs Node.js ${oldestMajor}.${oldestMinor} or newer, and this is ${process.versions.node}`;
  console.error(`keelson: ${found}: see https://nodejs.org, or run 'npm install node' where Keelson is installed`);
  process.exit(1);
}

// Not imported: that would load half of Node.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');
const module = process.getBuiltinModule('node:module');
const { fileURLToPath } = process.getBuiltinModule('node:url');

// What was compiled, and the source with its types taken out, is kept for the next start.
module.enableCompileCache?.();

const root = fileURLToPath(new URL('..', import.meta.url));
const source = existsSync(`${root}src/cli/main.ts`) && !isBuilt();
const main = new URL(source ? '../src/cli/main.ts' : '../dist/main.js', import.meta.url).href;

/** Whether dist/ was made of the files as they are now: scripts/build.ts has recorded the size and last change of each. */
function isBuilt() {
  try {
    const stamps = Object.entries(JSON.parse(readFileSync(`${root}dist/built-from.json`, 'utf8')));
    return stamps.every(([file, stamp]) => {
      const { size, ctimeMs } = statSync(root + file);
      return stamp === `${size} ${ctimeMs}`;
    });
  } catch {
    return false;
  }
}

// Imports among our own files name the file exactly. Saying so spares Node the search for some five hundred modules,
// which is half of the time that loading them takes.
const own = new URL(source ? '../src/' : '../dist/', import.meta.url).href;
const format = source ? 'module-typescript' : 'module';
const formatOf = (specifier) => (specifier.endsWith('.cjs') ? 'commonjs' : format);
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.startsWith(own)) return next(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: formatOf(specifier), shortCircuit: true };
  },
});

process.exitCode = await (await import(main)).main(process.argv.slice(2));
