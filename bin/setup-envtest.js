#!/usr/bin/env node
// `keelson setup-envtest` as a program of its own, for Makefiles in which the name of setup-envtest is one word.

process.argv.splice(2, 0, 'setup-envtest');
await import('./keelson.js');
