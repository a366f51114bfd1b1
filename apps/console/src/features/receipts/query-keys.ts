import { organizationKeys } from '../../lib/query-keys.ts'

export const receiptsKey = (org: string) => [...organizationKeys.all(org), 'receipts'] as const
