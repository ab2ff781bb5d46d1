import { readFileSync } from 'node:fs';

const SAMPLES = new URL('../http/docs/verify/', import.meta.url);

/** A file of code that receives or verifies webhooks, which the tests run where they can. */
export function sample(file: string, language: string): () => string {
  return () => `\`\`\`${language}\n${readFileSync(new URL(file, SAMPLES), 'utf8').trimEnd()}\n\`\`\``;
}
