/** Limits of what is counted, and of what receipts show. */
export const LIMITS = {
  CLIENT_REPORT_BYTES: 100 * 1024,
  /** Entries of one client report that are read. */
  CLIENT_REPORT_ROWS: 1000,
  /** Rows of the receipts screen over all intervals, and how many different ones have names; the rest is `other`. */
  RECEIPT_ROWS: 5000,
  RECEIPT_ROWS_NAMED: 100,
  /** Different rows of the table of receipts that have names; the rest is summed as `other`. */
  RECEIPT_TOTALS: 1000,
} as const
