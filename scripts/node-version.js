// Put in front of everything that is built: says that Node is too old, where the first thing that it lacks would be told
// of in a TypeError otherwise. bin/keelson.js does the same for the program.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  const found = `needs Node.js 24.7 or newer, and this is ${process.versions.node}`;
  throw new Error(`keelson ${found}: see https://nodejs.org, or run 'npm install node' where Keelson is installed`);
}
