import type { CompanyId } from '../platform/database/tenancy/company-id.ts';

/** Constant, so that a second start finds the company. It is the sandbox of a live company without data. */
export const DEMO_COMPANY_ID = 'de300000-0000-4000-8000-000000000001' as CompanyId;
