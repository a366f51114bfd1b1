import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Of single notices and mails that wait, which report they are about: its words go when it is deleted. */
export const noticesOfReports = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  const [from, isReport] =
    dialect === 'sqlite'
      ? [`CAST(substr(path, instr(path, '?report=') + 8) AS integer)`, `path LIKE '%/feedback?report=%'`]
      : [`CAST(split_part(path, '?report=', 2) AS ${int})`, `path ~ '/feedback[?]report=[0-9]{1,15}$'`]
  return [
    `ALTER TABLE notice_items ADD COLUMN report_id ${int}`,
    `UPDATE notice_items SET report_id = ${from} WHERE ${isReport}`,
    `CREATE INDEX notice_items_report ON notice_items (report_id) WHERE report_id IS NOT NULL`,
    `ALTER TABLE notice_mails ADD COLUMN report_id ${int}`,
    `CREATE INDEX notice_mails_report ON notice_mails (report_id) WHERE report_id IS NOT NULL`,
  ]
}
