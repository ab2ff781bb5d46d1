import type { CarrierCode } from '../domain/shipping/carriers/carriers.catalog.ts';
import type { CarrierAdapter } from './adapter.ts';
import { amazon } from './amazon.ts';
import { brt } from './brt.ts';
import { dhl } from './dhl.ts';
import { fedex } from './fedex.ts';
import { gls } from './gls.ts';
import { inpost } from './inpost.ts';
import { poste } from './poste.ts';
import { ups } from './ups.ts';

export const ADAPTERS: Readonly<Partial<Record<CarrierCode, CarrierAdapter>>> = {
  GLS: gls,
  BRT: brt,
  DHL: dhl,
  UPS: ups,
  FEDEX: fedex,
  POSTE: poste,
  // SDA's numbers are asked at Poste.
  SDA: poste,
  INPOST: inpost,
  AMAZON: amazon,
};
