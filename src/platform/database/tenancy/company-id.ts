declare const companyIdBrand: unique symbol;

/** A company's UUID; made where a key is recognised or an operator names the company, and nowhere else. */
export type CompanyId = string & { readonly [companyIdBrand]: true };
