#!/usr/bin/env node
// The command `shipping`. Plain JavaScript, since npm starts it with whatever Node.js the machine has: an older one starts
// the Node.js 24 that `npm ci` has installed, which runs this file again.
const [major] = process.versions.node.split('.');

if (Number(major) >= 24) {
  const { enableCompileCache } = await import('node:module');
  // As for `npm start` and `npm run cli`: a command then takes half the CPU.
  enableCompileCache(new URL('../node_modules/.cache/code', import.meta.url).pathname);
  await import('./cli.ts');
} else {
  const { spawn } = await import('node:child_process');
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(`error: Node.js 24 is needed, and this is ${process.version}: run \`npm ci\` first.\n`);
    process.exit(1);
  }
  const program = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; a supervisor sends its signal to this process alone.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
  program.on('close', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
