import { readFileSync } from 'node:fs';

/** A program of the guide for clients, with what it prints. */
export interface Program {
  /** Its title ends in the name of its library, which is also the name of its folder. */
  readonly title: string;
  readonly folder: string;
  /** By path; the last one is run. */
  readonly files: ReadonlyMap<string, string>;
  readonly main: string;
  readonly output: string;
}

const GUIDE = new URL('../../src/docs/clients.md', import.meta.url);
const FILE = /Save this as `([^`]+)`:\n\n```\w+\n([\s\S]*?)```/g;
const OUTPUT = /```text\n([\s\S]*?)```/;

/** The sections of the guide that have a program. */
export const PROGRAMS: readonly Program[] = readFileSync(GUIDE, 'utf8')
  .split(/^## /m)
  .slice(1)
  .flatMap(section => {
    const [title = ''] = section.split('\n', 1);
    const files = new Map([...section.matchAll(FILE)].map(([, path = '', text = '']) => [path, text]));
    const main = [...files.keys()].at(-1);
    const [, output = ''] = OUTPUT.exec(section) ?? [];
    if (main === undefined) return [];
    const [folder = ''] = /[\w.-]+(?: Client)?$/.exec(title.replace(' and zod', '')) ?? [];
    return [{ title, folder: folder.replace(' Client', '').toLowerCase(), files, main, output }];
  });
