/** What every entity of a company has: a filter, always on, that keeps a unit of work inside its company. */
export const ofCompany = {
  filters: {
    company: { name: 'company', cond: ({ companyId }: { companyId?: string }) => ({ companyId }), default: true },
  },
};

/** For `updatedAt`: a new record was last changed when it was created, to the millisecond. */
export function asCreated(record: object): Date {
  return (record as { createdAt?: Date }).createdAt ?? new Date();
}
