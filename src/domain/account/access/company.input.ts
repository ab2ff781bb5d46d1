import { inputObject, text } from '../../common/fields.input.ts';

export const companyInput = inputObject('CompanyInput', 'A new company.', { name: text() });
