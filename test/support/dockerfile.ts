import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** The Dockerfile as data, for tests that replay it where no container engine is. */

export const ROOT = new URL('../../', import.meta.url).pathname;

export interface Step {
  readonly name: string;
  readonly text: string;
}

interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

const KNOWN = /^(ARG|LABEL|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/;

export function readDockerfile(): Stage[] {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: { image: string; name: string | undefined; steps: Step[] }[] = [];
  for (const line of lines.filter(one => one.trim() !== '')) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    const [, image = '', as] = name === 'FROM' ? (/^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []) : [];
    if (image !== '') stages.push({ image, name: as, steps: [] });
    else if (KNOWN.test(name)) stages.at(-1)?.steps.push({ name, text: rest });
    else throw new Error(`${line} is an instruction that the tests do not know`);
  }
  return stages;
}

/** The texts of the instructions of one name. */
export function textsOf(stage: Stage | undefined, name: string): string[] {
  return (stage?.steps ?? []).filter(step => step.name === name).map(({ text }) => text);
}

/** A COPY: `from` is a stage, or the folder of the project. */
export function copyOf(text: string): { from: string | undefined; sources: string[]; target: string } {
  const words = text.split(' ');
  const from = /^--from=(.+)$/.exec(words[0] ?? '')?.[1];
  const paths = from === undefined ? words : words.slice(1);
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

/** The JSON of an instruction in its form without a shell. */
export function programOf(stage: Stage | undefined, name: 'ENTRYPOINT' | 'CMD' | 'HEALTHCHECK'): string[] {
  const [text = ''] = textsOf(stage, name);
  return JSON.parse(text.slice(text.indexOf('[')));
}

export function environmentOf(stage: Stage | undefined): Record<string, string> {
  const pairs = textsOf(stage, 'ENV').flatMap(text => text.split(' '));
  return Object.fromEntries(pairs.map(pair => pair.split('=', 2)));
}

/** Whether .dockerignore keeps a path of the project away from the build; its last line that fits decides. */
export function isIgnored(path: string): boolean {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const rules = lines.filter(line => line !== '' && !line.startsWith('#'));
  const parts = path.split('/');
  const above = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  return rules.reduce((ignored, rule) => {
    const glob = rule.replace(/^!/, '');
    return above.some(one => matchesGlob(one, glob)) ? !rule.startsWith('!') : ignored;
  }, false);
}
