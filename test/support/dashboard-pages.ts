/** The pages of the job dashboard that have an address of their own, behind its own path; others are found by their links. */
export const DASHBOARD_PAGES = [
  '',
  '/jobs',
  '/queues',
  '/queues/create',
  '/queues/webhooks.deliver',
  '/queues/webhooks.deliver/metrics',
  '/schedules',
  '/schedules/new',
  '/send',
  '/warnings',
  '/migrations',
];
