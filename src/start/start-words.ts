/** The text and the exit code of a process that starts no service. */
interface Printed {
  readonly code: 0 | 2;
  readonly text: string;
}

const WIDTH = 96;

/** The arguments after `npm start --`: `--help`, or nothing. Every setting comes from the environment. */
export async function readStartWords(words: readonly string[]): Promise<Printed | undefined> {
  if (words.length === 0) return undefined;
  if (words.some(word => word === '--help' || word === '-h')) return { code: 0, text: await help() };
  const text = `error: The start takes no "${words[0]}": settings come from the environment. See \`npm start -- --help\`.\n`;
  return { code: 2, text };
}

/** The help, whose descriptions of the settings nothing else needs: they are loaded on demand. */
async function help(): Promise<string> {
  const [{ SETTINGS }, { ABOUT }, { SERVICE_VERSION }] = await Promise.all([
    import('../service-settings.ts'),
    import('../setting-kinds.ts'),
    import('../platform/service-version.ts'),
  ]);
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const settings = Object.entries(SETTINGS.shape).map(([name, schema]) => {
    const { purpose = '', allowed = '', unset } = ABOUT.get(schema) ?? {};
    const shown = unset ?? String(defaults[name] ?? '');
    const text = `${purpose} Allowed: ${allowed}.${shown === '' ? '' : ` Default: ${shown}.`}`;
    return `  ${name}\n${wrapped(text.replaceAll('`', ''))}`;
  });
  return `Shipping Integrations API ${SERVICE_VERSION}

Usage: npm start

Starts the service: REST, GraphQL and the workers. Without settings it makes a PostgreSQL of its own in .data/, creates a
demo company, and prints a key and requests to try. Ctrl-C stops the service and its PostgreSQL.

  PORT=8080 npm start                start on another port
  DATA_DIR=/tmp/try npm start        keep the data in another folder
  DATABASE_URL=postgres://… npm start
                                     use your own PostgreSQL
  npm run -s cli -- --help           list the commands for companies, keys, imports, checks and repairs

The guides are in src/docs/, and at /docs of the running service: Getting started, Install, Settings.

Settings, from the environment or from the file .env in this folder:

${settings.join('\n')}
`;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map(one => `      ${one}`).join('\n');
}
