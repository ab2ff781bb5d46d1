import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import graphql from 'highlight.js/lib/languages/graphql';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './escape-html.ts';

const LANGUAGES = {
  csharp: { grammar: csharp, label: 'C#' },
  graphql: { grammar: graphql, label: 'GraphQL' },
  http: { grammar: http, label: 'HTTP' },
  ini: { grammar: ini, label: 'INI' },
  java: { grammar: java, label: 'Java' },
  js: { grammar: javascript, label: 'JavaScript' },
  json: { grammar: json, label: 'JSON' },
  nginx: { grammar: nginx, label: 'nginx' },
  php: { grammar: php, label: 'PHP' },
  python: { grammar: python, label: 'Python' },
  sh: { grammar: bash, label: 'Shell' },
  sql: { grammar: sql, label: 'SQL' },
  ts: { grammar: typescript, label: 'TypeScript' },
  yaml: { grammar: yaml, label: 'YAML' },
} as const;

for (const [name, { grammar }] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, grammar);

/** Placeholders of an API key, which the page replaces by its reader's key. */
const KEY = /\$API_KEY\b|sk_(?:live|test)_…/g;

/** A block of code with its colours, its language and a button that copies it. */
export function codeBlock(code: string, language: string): string {
  const known = Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language as keyof typeof LANGUAGES] : undefined;
  const html = known ? highlighter.highlight(code, { language }).value : escapeHtml(code);
  const filled = html.replaceAll(KEY, found => `<span data-api-key="${found}">${found}</span>`);
  const label = known?.label ?? (language === 'csv' ? 'CSV' : '');
  // Commands are wrapped, because they are read and copied as a whole; other code is scrolled.
  const wrapped = language === 'sh' ? ' wrapped' : '';
  return `<div class="code${wrapped}"><div class="code-head"><span>${label}</span><button type="button" class="copy" aria-label="Copy the code">Copy</button></div><pre tabindex="0"><code>${filled}</code></pre></div>\n`;
}
