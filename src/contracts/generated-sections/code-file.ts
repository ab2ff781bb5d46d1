import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** A file of the project, as a block of code. */
export function codeFile(path: string, language: string): () => string {
  return () => `\`\`\`${language}\n${readFileSync(new URL(path, ROOT), 'utf8').trimEnd()}\n\`\`\``;
}
