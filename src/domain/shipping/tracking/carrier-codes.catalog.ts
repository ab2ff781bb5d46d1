import amazon from '../../../../schema/carriers/amazon.codes.json' with { type: 'json' };
import brt from '../../../../schema/carriers/brt.codes.json' with { type: 'json' };
import dhl from '../../../../schema/carriers/dhl.codes.json' with { type: 'json' };
import fedex from '../../../../schema/carriers/fedex.codes.json' with { type: 'json' };
import gls from '../../../../schema/carriers/gls.codes.json' with { type: 'json' };
import inpost from '../../../../schema/carriers/inpost.codes.json' with { type: 'json' };
import poste from '../../../../schema/carriers/poste.codes.json' with { type: 'json' };
import ups from '../../../../schema/carriers/ups.codes.json' with { type: 'json' };
import type { StatusTable } from '../carriers/carriers.catalog.ts';

// The carriers' tables of codes, one file a carrier, as `schema/README.md` describes them.

/** A code of a carrier and the status that it means. */
export interface CodeRow {
  /** As the carrier writes it; a `*` at its end leaves the end open. */
  readonly code: string;
  /** The carrier's own text. */
  readonly text?: string;
  /** One of `STATUS_CODES`; `unknown` if the code says nothing of the parcel. */
  readonly status: string;
  /** Why this status, where the text leaves it open. */
  readonly remark?: string;
}

/** Whole words of a text and the status that they mean. */
export interface WordRow {
  /** Upper-case, without accents; a `*` leaves the end of the last word open, `...` stands for up to three of a clause. */
  readonly words: string;
  readonly status: string;
  readonly remark?: string;
}

export interface CarrierCodes {
  /** Carriers of the catalogue that use the codes. */
  readonly carriers: readonly string[];
  /** The published lists that the rows come from, and the day when they were read. */
  readonly lists: readonly { readonly name: string; readonly where: string; readonly read: string }[];
  readonly codes: readonly CodeRow[];
  /** Wider codes that the carrier sends beside or in its codes: a type, a group, a phase. */
  readonly general: readonly CodeRow[];
  /** For events without a known code; the first row that fits counts. */
  readonly words: readonly WordRow[];
}

export const CARRIER_CODES: Readonly<Record<StatusTable, CarrierCodes>> = {
  brt,
  gls,
  dhl,
  ups,
  fedex,
  poste,
  inpost,
  amazon,
};
