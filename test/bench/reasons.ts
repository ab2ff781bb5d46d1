import type { RowId } from './rows.ts';

/**
 * Why a row of RESULTS.md falls short, as its profile showed: a sentence or a paragraph in Markdown. It is printed only
 * while the row falls short, so that it may stay here when it holds again.
 */
export const REASONS: Partial<Readonly<Record<RowId, string>>> = {};
