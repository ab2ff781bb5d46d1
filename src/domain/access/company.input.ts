import { inputObject, text } from '../common/fields.input.ts';

/** A company as an operator names it. */
export const companyInput = inputObject('CompanyInput', 'A new company.', { name: text() });
