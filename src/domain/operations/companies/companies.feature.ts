import type { Feature } from '../../../feature.ts';
import { resumedCompany } from './companies.jobs.ts';
import * as erasure from './erasure/erasure.entity.ts';

/** Export, suspension and erasure of companies. */
export const companies: Feature = {
  entities: [erasure],
  jobs: [resumedCompany],
};
