import { codeFile } from './code-file.ts';

/** A file of code that receives or verifies webhooks, which the tests run where they can. */
export function sample(file: string, language: string): () => string {
  return codeFile(`src/http/docs/verify/${file}`, language);
}
