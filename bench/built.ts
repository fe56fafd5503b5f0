// The build, which is what users install: servers in a process are measured with its compiled code, as servers in processes
// of their own are.

/** The module `keelson/testing` of the build. @throws Error without a build */
export async function builtTesting(): Promise<typeof import('../src/testing.ts')> {
  return await import(new URL('../dist/testing.js', import.meta.url).href);
}
