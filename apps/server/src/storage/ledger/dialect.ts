/** The two languages that the ledger's engines speak. */
export type LedgerDialect = 'sqlite' | 'postgres'
