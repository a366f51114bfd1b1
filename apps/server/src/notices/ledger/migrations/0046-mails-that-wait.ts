import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Of mails that wait: of which project they are, for what its people decide meanwhile, and which nobody needs just now. */
export const mailsThatWait = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE notice_mails ADD COLUMN project_id ${int}`,
    `ALTER TABLE notice_mails ADD COLUMN dropped_at ${int}`,
  ]
}
